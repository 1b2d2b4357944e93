#include "extract/fields/language_codes.h"

#include <algorithm>

namespace weft::extract {
namespace {

struct LanguageCodes {
    std::string_view code;  // Of CLD2: mostly ISO 639-1.
    std::string_view iso_639_3;
};

// Sorted by code.
constexpr LanguageCodes kLanguageCodes[] = {
    {"aa", "aar"},  {"ab", "abk"},  {"af", "afr"},    {"ak", "aka"},  {"am", "amh"},
    {"ar", "ara"},  {"as", "asm"},  {"ay", "aym"},    {"az", "aze"},  {"ba", "bak"},
    {"be", "bel"},  {"bg", "bul"},  {"bh", "bih"},    {"bi", "bis"},  {"bn", "ben"},
    {"bo", "bod"},  {"br", "bre"},  {"bs", "bos"},    {"ca", "cat"},  {"ceb", "ceb"},
    {"chr", "chr"}, {"co", "cos"},  {"crs", "crs"},   {"cs", "ces"},  {"cy", "cym"},
    {"da", "dan"},  {"de", "deu"},  {"dv", "div"},    {"dz", "dzo"},  {"el", "ell"},
    {"en", "eng"},  {"eo", "epo"},  {"es", "spa"},    {"et", "est"},  {"eu", "eus"},
    {"fa", "fas"},  {"fi", "fin"},  {"fj", "fij"},    {"fo", "fao"},  {"fr", "fra"},
    {"fy", "fry"},  {"ga", "gle"},  {"gaa", "gaa"},   {"gd", "gla"},  {"gl", "glg"},
    {"gn", "grn"},  {"gu", "guj"},  {"gv", "glv"},    {"ha", "hau"},  {"haw", "haw"},
    {"he", "heb"},  {"hi", "hin"},  {"hmn", "hmn"},   {"hr", "hrv"},  {"ht", "hat"},
    {"hu", "hun"},  {"hy", "hye"},  {"ia", "ina"},    {"id", "ind"},  {"ie", "ile"},
    {"ig", "ibo"},  {"ik", "ipk"},  {"is", "isl"},    {"it", "ita"},  {"iu", "iku"},
    {"iw", "heb"},  {"ja", "jpn"},  {"jv", "jav"},    {"jw", "jav"},  {"ka", "kat"},
    {"kha", "kha"}, {"kk", "kaz"},  {"kl", "kal"},    {"km", "khm"},  {"kn", "kan"},
    {"ko", "kor"},  {"kri", "kri"}, {"ks", "kas"},    {"ku", "kur"},  {"ky", "kir"},
    {"la", "lat"},  {"lb", "ltz"},  {"lg", "lug"},    {"lif", "lif"}, {"ln", "lin"},
    {"lo", "lao"},  {"loz", "loz"}, {"lt", "lit"},    {"lua", "lua"}, {"luo", "luo"},
    {"lv", "lav"},  {"mfe", "mfe"}, {"mg", "mlg"},    {"mi", "mri"},  {"mk", "mkd"},
    {"ml", "mal"},  {"mn", "mon"},  {"mr", "mar"},    {"ms", "msa"},  {"mt", "mlt"},
    {"my", "mya"},  {"na", "nau"},  {"ne", "nep"},    {"new", "new"}, {"nl", "nld"},
    {"nn", "nno"},  {"no", "nor"},  {"nr", "nbl"},    {"nso", "nso"}, {"ny", "nya"},
    {"oc", "oci"},  {"om", "orm"},  {"or", "ori"},    {"os", "oss"},  {"pa", "pan"},
    {"pam", "pam"}, {"pl", "pol"},  {"ps", "pus"},    {"pt", "por"},  {"qu", "que"},
    {"rm", "roh"},  {"rn", "run"},  {"ro", "ron"},    {"ru", "rus"},  {"rw", "kin"},
    {"sa", "san"},  {"sco", "sco"}, {"sd", "snd"},    {"sg", "sag"},  {"si", "sin"},
    {"sk", "slk"},  {"sl", "slv"},  {"sm", "smo"},    {"sn", "sna"},  {"so", "som"},
    {"sq", "sqi"},  {"sr", "srp"},  {"sr-ME", "srp"}, {"ss", "ssw"},  {"st", "sot"},
    {"su", "sun"},  {"sv", "swe"},  {"sw", "swa"},    {"syr", "syr"}, {"ta", "tam"},
    {"te", "tel"},  {"tg", "tgk"},  {"th", "tha"},    {"ti", "tir"},  {"tk", "tuk"},
    {"tl", "tgl"},  {"tlh", "tlh"}, {"tn", "tsn"},    {"to", "ton"},  {"tr", "tur"},
    {"ts", "tso"},  {"tt", "tat"},  {"tum", "tum"},   {"tw", "twi"},  {"ty", "tah"},
    {"ug", "uig"},  {"uk", "ukr"},  {"ur", "urd"},    {"uz", "uzb"},  {"ve", "ven"},
    {"vi", "vie"},  {"vo", "vol"},  {"war", "war"},   {"wo", "wol"},  {"xh", "xho"},
    {"yi", "yid"},  {"yo", "yor"},  {"za", "zha"},    {"zh", "zho"},  {"zh-Hant", "zho"},
    {"zu", "zul"},
};
static_assert(std::ranges::is_sorted(kLanguageCodes, {}, &LanguageCodes::code));

}  // namespace

std::string_view iso_639_3(std::string_view code) {
    const auto* found = std::ranges::lower_bound(kLanguageCodes, code, {}, &LanguageCodes::code);
    const bool is_known = found != std::end(kLanguageCodes) && found->code == code;
    return is_known ? found->iso_639_3 : std::string_view();
}

}  // namespace weft::extract
