#!lua name=weft1

-- The frontier of a crawl on several machines. A crawl has 1,024 shards. A registrable domain, with
-- all of its hosts, belongs to one shard, and a shard belongs to one worker at a time: its owner.
-- Only the owner takes URLs out and says what became of them. Every worker puts URLs in.
--
-- KEYS[1] is the shard's `m`, "<crawl>{<tag>}m". The names of all other keys of the shard begin with
-- the same "<crawl>{<tag>}", so all of them lie in one slot:
--
--   m            hash: own, tok, until (the owner, the number of its term, the end of the term); seq
--                (completions taken in this term); seen, done, over, bytes; k (buckets of the seen
--                set); p:<worker> (pages of each worker)
--   a            hash: term -> "owner seq", of the terms that have ended
--   r            zset: host -> ms at which it may be asked next; + HELD while the owner has it
--   h:<host>     hash: n, d (admitted, done); f (places given back); p, b, t (pages, bytes, ms);
--                x (dropped); at (its time, while nothing waits); cl (classes in use); b0..b3 (entries
--                gone from the front of each class); y (URLs to be tried again); z (entries that are
--                done behind one that is not)
--   q<c>:<host>  list: the URLs of one class, in order; "" is one that is done behind one that is not
--   y:<host>     zset: URLs to be tried again -> ms, not before
--   d:<domain>   hash: h (hosts); p, b, t as above, if domains have a budget
--   s<n>         intset: 64 bits of each URL ever admitted, 100 to 350 in each of k buckets
--
-- While a slot moves from one node to another, some keys are here and some are there. Each function
-- first asks for all keys that it may touch (are_here()), so it is done whole or refused whole
-- (MOVING). Without that, a list that is already gone looks like an empty one, and a URL is lost.
--
-- An owner names itself and its term in each call. If its term has ended, it is refused (STALE).
-- Completions are numbered within a term, so one that comes again is not done again. Time is that of
-- the server; all times in calls and replies are milliseconds from now.

local HELD = 8796093022208 -- 2^43: later than any time.

-- Of a bucket, on average; at most twice that. Redis keeps sets of up to 512 numbers as an intset.
local FILL = 160

-- Of one call. unpack() below puts all keys on Lua's stack, which holds 8,000.
local URLS_MAX = 500
local HOSTS_MAX = 256
local COMPLETIONS_MAX = 256

local COMPLETION_WORDS = 11

local function now_ms()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

local function base_of(keys)
  return string.sub(keys[1], 1, -2)
end

-- EXISTS fails for a key that has moved away, and says nothing else of interest.
local function are_here(names)
  return type(redis.pcall('EXISTS', unpack(names))) == 'number'
end

local function moving()
  return redis.error_reply('MOVING the slot is on its way to another node')
end

local function stale(f)
  return redis.error_reply('STALE ' .. (f[1] or '-') .. ' ' .. (f[2] or '0'))
end

local function too_many(what, max)
  return redis.error_reply('ERR a call has more than ' .. max .. ' ' .. what)
end

local function is_term(f, args)
  return f[1] == args[1] and f[2] == args[2]
end

-- Lua writes large numbers as 1e+15, which Redis does not read.
local function whole(n)
  return string.format('%.0f', n)
end

local function worker_of(own)
  return string.match(own, '^[^/]*')
end

-- The fields and values of one HSET.
local function put(fields, name, value)
  fields[#fields + 1] = name
  fields[#fields + 1] = value
end

local function add_to(fields, name, old, more)
  if more ~= 0 then put(fields, name, whole(tonumber(old or 0) + more)) end
end

-- The seen set is one of linear hashing: when the buckets are full on average, one more is split.

local function low_of(k)
  local low = 1
  while 2 * low <= k do low = 2 * low end
  return low
end

-- The last 15 characters, because Lua's numbers have 53 bits.
local function bucket_of(fp, k, low)
  local v = tonumber(string.sub(fp, -15))
  local b = v % (2 * low)
  return b < k and b or v % low
end

local function split(base, k)
  local low = low_of(k)
  local from, to = base .. 's' .. (k - low), base .. 's' .. k
  local stay, go = {}, {}
  for _, fp in ipairs(redis.call('SMEMBERS', from)) do
    if bucket_of(fp, k + 1, low) == k then go[#go + 1] = fp else stay[#stay + 1] = fp end
  end
  if #go == 0 then return end
  redis.call('DEL', from)
  if #stay > 0 then redis.call('SADD', from, unpack(stay)) end
  redis.call('SADD', to, unpack(go))
end

-- Reads the URLs to be added: args from a on are host_max domain_max (0: no limit), then of each
-- group host domain class count, then of each URL fp entry. Adds the names of the keys to `names`.
-- Gives the groups, or nothing and an error.
local function plan(base, args, a, k, seen, names)
  local low, count = low_of(k), 0
  local groups = { host_max = tonumber(args[a]), domain_max = tonumber(args[a + 1]), k = k }
  a = a + 2
  while a <= #args do
    local g = { host = args[a], class = args[a + 2], count = tonumber(args[a + 3]), a = a + 4 }
    count = count + g.count
    if count > URLS_MAX then return nil, too_many('URLs', URLS_MAX) end
    if #groups == HOSTS_MAX then return nil, too_many('hosts', HOSTS_MAX) end
    g.h = base .. 'h:' .. g.host
    g.q = base .. 'q' .. g.class .. ':' .. g.host
    g.d = base .. 'd:' .. args[a + 1]
    g.buckets = {}
    names[#names + 1] = g.h
    names[#names + 1] = g.q
    names[#names + 1] = g.d
    for i = 1, g.count do
      local s = base .. 's' .. bucket_of(args[a + 2 + 2 * i], k, low)
      g.buckets[i] = s
      names[#names + 1] = s
    end
    groups[#groups + 1] = g
    a = a + 4 + 2 * g.count
  end
  -- The buckets that are split afterwards: as many as these URLs fill, and one more to catch up.
  while seen + count > FILL * k and k <= groups.k + count / FILL do
    names[#names + 1] = base .. 's' .. (k - low_of(k))
    names[#names + 1] = base .. 's' .. k
    k = k + 1
  end
  groups.k_max = k
  return groups
end

-- Whether the host gets no URLs at all: it was dropped, or it is new and its domain has enough.
local function is_closed(g, groups, is_new, dropped)
  if dropped then return true end
  if not is_new or groups.domain_max == 0 then return false end
  return tonumber(redis.call('HGET', g.d, 'h') or 0) >= groups.domain_max
end

-- Marks the URLs of a group as seen. Gives the entries of the new ones; appends a letter for each
-- URL: n new, d known, o over a budget.
local function admit(g, groups, args, room, letters)
  local entries, over = {}, 0
  for i = 1, g.count do
    local fp = args[g.a + 2 * i - 2]
    local letter = 'd'
    if #entries >= room then
      if redis.call('SISMEMBER', g.buckets[i], fp) == 0 then
        letter = 'o'
        over = over + 1
      end
    elseif redis.call('SADD', g.buckets[i], fp) == 1 then
      letter = 'n'
      entries[#entries + 1] = args[g.a + 2 * i - 1]
    end
    letters[#letters + 1] = letter
  end
  return entries, over
end

-- Queues the new URLs of a host; f is what add_group() read of the host.
local function enqueue(base, g, entries, f)
  redis.call('RPUSH', g.q, unpack(entries))
  local n, classes = tonumber(f[1] or 0), f[4] or ''
  local set = { g.h, 'n', n + #entries }
  if not string.find(classes, g.class, 1, true) then put(set, 'cl', classes .. g.class) end
  redis.call('HSET', unpack(set))
  if n == tonumber(f[2] or 0) then -- Nothing waited, so it is not in r.
    redis.call('ZADD', base .. 'r', 'NX', math.max(now_ms(), tonumber(f[5] or 0)), g.host)
  end
end

local function add_group(base, g, groups, args, letters)
  local f = redis.call('HMGET', g.h, 'n', 'd', 'x', 'cl', 'at', 'f')
  local is_new = not f[1]
  local room = math.huge
  if is_closed(g, groups, is_new, f[3]) then
    room = 0
  elseif groups.host_max > 0 then
    room = groups.host_max - tonumber(f[1] or 0) + tonumber(f[6] or 0)
  end
  local entries, over = admit(g, groups, args, room, letters)
  if #entries > 0 then
    enqueue(base, g, entries, f)
    if is_new and groups.domain_max > 0 then redis.call('HINCRBY', g.d, 'h', 1) end
  end
  return #entries, over
end

-- Gives the letters, and how many URLs are new and over. `sum` gets the new number of buckets.
local function add(base, groups, args, seen, sum)
  local letters, fresh, over = {}, 0, 0
  for _, g in ipairs(groups) do
    local its_fresh, its_over = add_group(base, g, groups, args, letters)
    fresh, over = fresh + its_fresh, over + its_over
  end
  local k = groups.k
  while seen + fresh > FILL * k and k < groups.k_max do
    split(base, k)
    k = k + 1
  end
  if k > groups.k then put(sum, 'k', k) end
  return table.concat(letters), fresh, over
end

-- ARGV as for plan(). Gives the letters.
local function push(keys, args)
  local m, base = keys[1], base_of(keys)
  local f = redis.call('HMGET', m, 'seen', 'over', 'k')
  local seen, sum, names = tonumber(f[1] or 0), { m }, { base .. 'r' }
  local groups, err = plan(base, args, 1, tonumber(f[3] or 1), seen, names)
  if not groups then return err end
  if not are_here(names) then return moving() end
  local letters, fresh, over = add(base, groups, args, seen, sum)
  add_to(sum, 'seen', seen, fresh)
  add_to(sum, 'over', f[2], over)
  if #sum > 1 then redis.call('HSET', unpack(sum)) end
  return letters
end

-- The hosts that the owner had wait again, each for its own time.
local function let_go(r)
  local held = redis.call('ZRANGEBYSCORE', r, HELD, '+inf', 'WITHSCORES')
  for i = 1, #held, 2 do redis.call('ZADD', r, held[i + 1] - HELD, held[i]) end
end

-- ARGV own lease_ms. `own` is "<worker>/<run>": a worker that comes back gets its shards at once.
-- Gives {1, tok, seen, done}, or {0, owner, ms left}.
local function claim(keys, args)
  local m, base = keys[1], base_of(keys)
  local now = now_ms()
  if not are_here({ base .. 'r', base .. 'a' }) then return moving() end
  local f = redis.call('HMGET', m, 'own', 'tok', 'until', 'seq', 'seen', 'done')
  if f[1] and worker_of(f[1]) ~= worker_of(args[1]) and tonumber(f[3]) > now then
    return { 0, f[1], tonumber(f[3]) - now }
  end
  if f[1] then redis.call('HSET', base .. 'a', f[2], f[1] .. ' ' .. f[4]) end
  let_go(base .. 'r')
  local tok = tonumber(f[2] or 0) + 1
  redis.call('HSET', m, 'own', args[1], 'tok', tok, 'until', now + args[2], 'seq', 0)
  return { 1, tok, tonumber(f[5] or 0), tonumber(f[6] or 0) }
end

-- ARGV own tok lease_ms
local function renew(keys, args)
  local f = redis.call('HMGET', keys[1], 'own', 'tok')
  if not is_term(f, args) then return stale(f) end
  redis.call('HSET', keys[1], 'until', now_ms() + args[3])
  return redis.status_reply('OK')
end

-- ARGV own tok. The term ends in order; hosts keep their times.
local function release(keys, args)
  local m, base = keys[1], base_of(keys)
  local f = redis.call('HMGET', m, 'own', 'tok', 'seq')
  if not is_term(f, args) then return stale(f) end
  if not are_here({ base .. 'r', base .. 'a' }) then return moving() end
  let_go(base .. 'r')
  redis.call('HSET', base .. 'a', f[2], f[1] .. ' ' .. f[3])
  redis.call('HDEL', m, 'own', 'until')
  return redis.status_reply('OK')
end

-- The names of all keys of a host but its domain.
local function names_of(base, host, names)
  names[#names + 1] = base .. 'h:' .. host
  for class = 0, 3 do names[#names + 1] = base .. 'q' .. class .. ':' .. host end
  names[#names + 1] = base .. 'y:' .. host
end

local function append_retries(list, y, count, now)
  local again = redis.call('ZRANGE', y, 0, count - 1, 'WITHSCORES')
  for i = 1, #again, 2 do
    list[#list + 1] = 'y'
    list[#list + 1] = math.max(0, again[i + 1] - now)
    list[#list + 1] = again[i]
  end
end

-- Appends up to `count` entries of a class from number `first` on; gives how many.
local function append_class(list, q, class, first, gone, count)
  local some, found = redis.call('LRANGE', q, first - gone, first - gone + count - 1), 0
  for i = 1, #some do
    if some[i] ~= '' then
      list[#list + 1] = class
      list[#list + 1] = first + i - 1
      list[#list + 1] = some[i]
      found = found + 1
    end
  end
  return found
end

-- What a host has from the given numbers on: {host, ms until its time, n, d, p, b, t, f, entries}.
-- The entries are class, number, entry, and of those to be tried again y, ms, entry.
local function entries_of(base, host, wait, from, count, now)
  local s = redis.call('HMGET', base .. 'h:' .. host, 'n', 'd', 'p', 'b', 't', 'f', 'cl', 'y',
    'b0', 'b1', 'b2', 'b3')
  local list, left = {}, count
  if s[8] and s[8] ~= '0' then append_retries(list, base .. 'y:' .. host, count, now) end
  for class = 0, 3 do
    if left > 0 and string.find(s[7] or '', class, 1, true) then
      local gone = tonumber(s[9 + class] or 0)
      local first = math.max(gone, tonumber(from[class + 1]))
      left = left - append_class(list, base .. 'q' .. class .. ':' .. host, class, first, gone, left)
    end
  end
  local reply = { host, wait }
  for i = 1, 6 do reply[i + 2] = tonumber(s[i] or 0) end
  reply[9] = list
  return reply
end

local function next_wait(r, now)
  local first = redis.call('ZRANGEBYSCORE', r, '-inf', HELD - 1, 'WITHSCORES', 'LIMIT', 0, 1)
  return first[2] and math.max(0, first[2] - now) or -1
end

-- ARGV own tok within_ms hosts count. The hosts whose time comes within that many ms: the owner has
-- them from now on. Gives {ms until the time of the next host or -1, then as entries_of()}. URLs stay
-- in place until they are completed, so the death of a worker needs no repair.
local function due(keys, args)
  local m, base = keys[1], base_of(keys)
  local r = base .. 'r'
  local f = redis.call('HMGET', m, 'own', 'tok')
  if not is_term(f, args) then return stale(f) end
  if tonumber(args[4]) > HOSTS_MAX then return too_many('hosts', HOSTS_MAX) end
  local now = now_ms()
  if not are_here({ r }) then return moving() end
  local found =
    redis.call('ZRANGEBYSCORE', r, '-inf', now + args[3], 'WITHSCORES', 'LIMIT', 0, args[4])
  local reply, marks, names = { -1 }, {}, {}
  for i = 1, #found, 2 do names_of(base, found[i], names) end
  if #found > 0 then
    if not are_here(names) then return moving() end
    for i = 1, #found, 2 do
      marks[#marks + 1] = HELD + found[i + 1]
      marks[#marks + 1] = found[i]
      local wait = math.max(0, found[i + 1] - now)
      reply[#reply + 1] =
        entries_of(base, found[i], wait, { 0, 0, 0, 0 }, tonumber(args[5]), now)
    end
    redis.call('ZADD', r, 'XX', unpack(marks))
  end
  reply[1] = next_wait(r, now)
  return reply
end

-- ARGV own tok count, then of each host that the owner has: host, and of each class the number of
-- the first entry that is wanted. Gives as entries_of().
local function take(keys, args)
  local base = base_of(keys)
  local f = redis.call('HMGET', keys[1], 'own', 'tok')
  if not is_term(f, args) then return stale(f) end
  if #args - 3 > 5 * HOSTS_MAX then return too_many('hosts', HOSTS_MAX) end
  local now, reply, names = now_ms(), {}, {}
  for a = 4, #args, 5 do names_of(base, args[a], names) end
  if not are_here(names) then return moving() end
  for a = 4, #args, 5 do
    local from = { args[a + 1], args[a + 2], args[a + 3], args[a + 4] }
    reply[#reply + 1] = entries_of(base, args[a], 0, from, tonumber(args[3]), now)
  end
  return reply
end

-- One completion: host domain class number retry_ms retry_entry ready_ms is_page bytes ms frees.
-- `domain` is empty unless domains have a budget. Class y: `number` is the entry itself. retry_ms -1:
-- the URL has ended. `frees`: it no longer counts against the number of URLs of its host.
local function completion_at(base, args, a)
  return {
    host = args[a], h = base .. 'h:' .. args[a], y = base .. 'y:' .. args[a],
    domain = args[a + 1] ~= '' and base .. 'd:' .. args[a + 1],
    class = args[a + 2], number = args[a + 3], q = base .. 'q' .. args[a + 2] .. ':' .. args[a],
    retry = args[a + 4] ~= '-1' and args[a + 4], retry_entry = args[a + 5],
    ready = args[a + 6], page = tonumber(args[a + 7]), bytes = tonumber(args[a + 8]),
    ms = tonumber(args[a + 9]), frees = tonumber(args[a + 10]),
  }
end

local function completions_of(base, args, count, names)
  local list = {}
  for i = 1, count do
    local c = completion_at(base, args, 5 + COMPLETION_WORDS * (i - 1))
    names[#names + 1] = c.h
    names[#names + 1] = c.y
    if c.class ~= 'y' then names[#names + 1] = c.q end
    if c.domain then names[#names + 1] = c.domain end
    list[i] = c
  end
  return list
end

-- Takes a completed entry out of its list. Entries leave from the front; one behind another that is
-- not done yet becomes "" and leaves with it.
local function leave_list(c, gone, holes, set)
  if tonumber(c.number) > gone then
    redis.call('LSET', c.q, c.number - gone, '')
    put(set, 'z', holes + 1)
    return
  end
  redis.call('LPOP', c.q)
  gone = gone + 1
  if holes > 0 then
    while redis.call('LINDEX', c.q, 0) == '' do
      redis.call('LPOP', c.q)
      gone, holes = gone + 1, holes - 1
    end
    put(set, 'z', holes)
  end
  put(set, 'b' .. c.class, gone)
end

local function charge_domain(c)
  if not c.domain then return end
  redis.call('HINCRBY', c.domain, 'p', c.page)
  redis.call('HINCRBY', c.domain, 'b', c.bytes)
  redis.call('HINCRBY', c.domain, 't', c.ms)
end

-- Gives how many URLs of the host still wait, and whether this one has ended.
local function complete(r, c, now)
  local s = redis.call('HMGET', c.h, 'n', 'd', 'x', 'y', 'p', 'b', 't', 'f', 'z', 'b' .. c.class)
  local n, d, dropped = tonumber(s[1]), tonumber(s[2] or 0), s[3]
  local again, set, ended = tonumber(s[4] or 0), { c.h }, 1
  if c.class == 'y' then
    again = again - redis.call('ZREM', c.y, c.number)
  elseif not dropped then
    leave_list(c, tonumber(s[10] or 0), tonumber(s[9] or 0), set)
  end
  if c.retry and not dropped then
    redis.call('ZADD', c.y, now + c.retry, c.retry_entry)
    again, ended = again + 1, 0
  else
    d = d + 1
    put(set, 'd', d)
    add_to(set, 'f', s[8], c.frees)
  end
  if again ~= tonumber(s[4] or 0) then put(set, 'y', again) end
  add_to(set, 'p', s[5], c.page)
  add_to(set, 'b', s[6], c.bytes)
  add_to(set, 't', s[7], c.ms)
  charge_domain(c)
  if n == d then
    redis.call('ZREM', r, c.host)
    put(set, 'at', now + c.ready)
  else
    redis.call('ZADD', r, HELD + now + c.ready, c.host)
  end
  if #set > 1 then redis.call('HSET', unpack(set)) end
  return n - d, ended
end

-- ARGV own tok seq count, then the completions, then links as for plan(). `seq` is the number of the
-- first completion. Gives how many URLs wait at the host of each completion, then the letters of the
-- links; nothing if it was done before.
local function done(keys, args)
  local m, base = keys[1], base_of(keys)
  local r, mine = base .. 'r', 'p:' .. worker_of(args[1])
  local f = redis.call('HMGET', m, 'own', 'tok', 'seq', 'seen', 'done', 'over', 'bytes', mine, 'k')
  if not is_term(f, args) then return stale(f) end
  local seq, count, last = tonumber(args[3]), tonumber(args[4]), tonumber(f[3])
  if seq <= last then return {} end
  if seq ~= last + 1 then return redis.error_reply('GAP ' .. f[3]) end
  if count > COMPLETIONS_MAX then return too_many('completions', COMPLETIONS_MAX) end
  local names, seen = { r }, tonumber(f[4] or 0)
  local completions = completions_of(base, args, count, names)
  local links, groups, err = 5 + COMPLETION_WORDS * count, nil, nil
  if #args > links + 1 then
    groups, err = plan(base, args, links, tonumber(f[9] or 1), seen, names)
    if not groups then return err end
  end
  if not are_here(names) then return moving() end

  local sum, reply, now = { m, 'seq', seq + count - 1 }, {}, now_ms()
  local letters, fresh, over = '', 0, 0
  -- Links first: a host without URLs below is one that got none.
  if groups then letters, fresh, over = add(base, groups, args, seen, sum) end
  local ended, pages, bytes = 0, 0, 0
  for i, c in ipairs(completions) do
    local waiting, its_end = complete(r, c, now)
    reply[i] = waiting
    ended, pages, bytes = ended + its_end, pages + c.page, bytes + c.bytes
  end
  add_to(sum, 'seen', f[4], fresh)
  add_to(sum, 'done', f[5], ended)
  add_to(sum, 'over', f[6], over)
  add_to(sum, 'bytes', f[7], bytes)
  add_to(sum, mine, f[8], pages)
  redis.call('HSET', unpack(sum))
  reply[#reply + 1] = letters
  return reply
end

local function set_time(r, h, host, ready)
  local score = redis.call('ZSCORE', r, host)
  if score then
    redis.call('ZADD', r, (tonumber(score) >= HELD and HELD or 0) + ready, host)
  else
    redis.call('HSET', h, 'at', ready)
  end
end

-- ARGV own tok host ready_ms drop lent. What a user or a rule decides about a host. ready_ms -1: its
-- time stays. drop 1: what waits is done with, except `lent` URLs that are under way. Gives how many
-- were dropped.
local function change(keys, args)
  local m, base = keys[1], base_of(keys)
  local r, host = base .. 'r', args[3]
  local f = redis.call('HMGET', m, 'own', 'tok')
  if not is_term(f, args) then return stale(f) end
  local names = { r }
  names_of(base, host, names)
  if not are_here(names) then return moving() end
  local h = base .. 'h:' .. host
  if args[4] ~= '-1' then set_time(r, h, host, now_ms() + args[4]) end
  if args[5] ~= '1' then return 0 end
  local s = redis.call('HMGET', h, 'n', 'd')
  local n, lent = tonumber(s[1] or 0), tonumber(args[6])
  local gone = n - tonumber(s[2] or 0) - lent
  for i = 3, #names do redis.call('DEL', names[i]) end
  redis.call('HSET', h, 'x', 1, 'y', 0, 'n', n, 'd', n - lent)
  redis.call('HINCRBY', m, 'done', gone)
  if lent == 0 then redis.call('ZREM', r, host) end
  return gone
end

-- ARGV own tok, then host ready_ms of each host that the owner has no room for: it waits again.
local function rest(keys, args)
  local f = redis.call('HMGET', keys[1], 'own', 'tok')
  if not is_term(f, args) then return stale(f) end
  local r, now = base_of(keys) .. 'r', now_ms()
  if not are_here({ r }) then return moving() end
  for a = 3, #args, 2 do redis.call('ZADD', r, 'XX', now + args[a + 1], args[a]) end
  return redis.status_reply('OK')
end

-- ARGV tok. Gives how many completions of a term were taken, and 1 if the term goes on.
local function fate(keys, args)
  local f = redis.call('HMGET', keys[1], 'tok', 'seq', 'own')
  if f[1] == args[1] and f[3] then return { tonumber(f[2]), 1 } end
  local ended = redis.call('HGET', base_of(keys) .. 'a', args[1])
  return { ended and tonumber(string.match(ended, ' (%d+)$')) or 0, 0 }
end

-- ARGV host fp. For people: {known, n, d, dropped, ms until its time or -1, owner}.
local function look(keys, args)
  local base = base_of(keys)
  local f = redis.call('HMGET', keys[1], 'own', 'k')
  local k = tonumber(f[2] or 1)
  local s = redis.call('HMGET', base .. 'h:' .. args[1], 'n', 'd', 'x', 'at')
  local at = tonumber(redis.call('ZSCORE', base .. 'r', args[1]) or s[4])
  local wait = at and math.max(0, at % HELD - now_ms()) or -1
  local known = redis.call('SISMEMBER', base .. 's' .. bucket_of(args[2], k, low_of(k)), args[2])
  return { known, tonumber(s[1] or 0), tonumber(s[2] or 0), s[3] and 1 or 0, wait, f[1] or '' }
end

-- The crawl's own keys, each of them KEYS[1] of its functions.

-- {<crawl>}b; ARGV worker max used held want. Pages that a worker may begin. `used` is its total so
-- far and `held` what it may still begin by earlier calls, less what it gives back: so the call may
-- come again. Gives {granted, pages that no worker has, pages that others hold}.
local function grant(keys, args)
  local all, others_spent, others_held = redis.call('HGETALL', keys[1]), 0, 0
  for i = 1, #all, 2 do
    local kind, worker = string.match(all[i], '^(%a):(.*)$')
    if worker ~= args[1] then
      local v = tonumber(all[i + 1])
      if kind == 's' then others_spent = others_spent + v else others_held = others_held + v end
    end
  end
  local held = tonumber(args[4])
  local left = math.max(0, args[2] - others_spent - others_held - args[3] - held)
  local give = math.min(tonumber(args[5]), left)
  redis.call('HSET', keys[1], 's:' .. args[1], args[3], 'h:' .. args[1], held + give)
  return { give, left - give, others_held }
end

-- {<crawl>}b; ARGV worker pages. The worker is gone and all its terms have ended. So many of its pages
-- were taken; what it held besides is free again.
local function bury(keys, args)
  redis.call('HSET', keys[1], 's:' .. args[1], args[2])
  redis.call('HDEL', keys[1], 'h:' .. args[1])
  return redis.status_reply('OK')
end

-- {<crawl>}w; ARGV worker text. A worker lives, and says how it is. Gives of each worker: its name, ms
-- since it was heard, its text.
local function beat(keys, args)
  local now = now_ms()
  redis.call('HSET', keys[1], args[1], now .. ' ' .. args[2])
  local all, reply = redis.call('HGETALL', keys[1]), {}
  for i = 1, #all, 2 do
    local at, text = string.match(all[i + 1], '^(%d+) (.*)$')
    reply[#reply + 1] = all[i]
    reply[#reply + 1] = now - at
    reply[#reply + 1] = text
  end
  return reply
end

-- {<crawl>}w; ARGV worker. The worker has left in order: nobody waits for it.
local function leave(keys, args)
  redis.call('HDEL', keys[1], args[1])
  return redis.status_reply('OK')
end

-- <crawl>i:{<address>}; ARGV worker ttl_ms. Gives how many workers have hosts at this address.
local function meet(keys, args)
  local now = now_ms()
  redis.call('ZREMRANGEBYSCORE', keys[1], '-inf', now)
  redis.call('ZADD', keys[1], now + args[2], args[1])
  redis.call('PEXPIRE', keys[1], args[2])
  return redis.call('ZCARD', keys[1])
end

local function register(name, callback, flags)
  redis.register_function({ function_name = 'weft1_' .. name, callback = callback, flags = flags })
end

-- allow-oom: what ends work or keeps it in order is done also when memory is full.
register('push', push, {})
register('claim', claim, { 'allow-oom' })
register('renew', renew, { 'allow-oom' })
register('release', release, { 'allow-oom' })
register('due', due, { 'allow-oom' })
register('take', take, { 'no-writes' })
register('done', done, {})
register('end', done, { 'allow-oom' }) -- Of pages without links.
register('change', change, { 'allow-oom' })
register('rest', rest, { 'allow-oom' })
register('fate', fate, { 'no-writes' })
register('look', look, { 'no-writes' })
register('grant', grant, { 'allow-oom' })
register('bury', bury, { 'allow-oom' })
register('beat', beat, { 'allow-oom' })
register('leave', leave, { 'allow-oom' })
register('meet', meet, { 'allow-oom' })
