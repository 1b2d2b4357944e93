#pragma once

#include "base/assert.h"

namespace weft {

template <class T, class Tag>
class Chain;

// The base class of the elements of a Chain. An element of several chains derives from one for each
// of them.
template <class T, class Tag = void>
class ChainLink {
private:
    friend class Chain<T, Tag>;
    T* previous_ = nullptr;
    T* next_ = nullptr;
};

// An intrusive doubly linked list: the links are in the elements, which the chain does not own, so
// that adding and removing allocate nothing. `Tag` tells the chains of one element apart. An
// element must be removed before it is destroyed.
template <class T, class Tag = void>
class Chain {
public:
    bool empty() const { return first_ == nullptr; }
    T* first() const { return first_; }
    T* last() const { return last_; }

    // The neighbour of an element; nullptr at the end.
    static T* next(T& element) { return link(element).next_; }
    static T* previous(T& element) { return link(element).previous_; }

    // Adds the element at the end. REQUIRES: it is in no chain of this tag.
    void push(T& element) noexcept {
        WEFT_ASSERT(!link(element).next_ && last_ != &element);
        link(element).previous_ = last_;
        (last_ ? link(*last_).next_ : first_) = &element;
        last_ = &element;
    }

    // REQUIRES: the element is in this chain.
    void remove(T& element) noexcept {
        ChainLink<T, Tag>& removed = link(element);
        T*& to_it = removed.previous_ ? link(*removed.previous_).next_ : first_;
        T*& back_to_it = removed.next_ ? link(*removed.next_).previous_ : last_;
        // Only its own link is read: that of the neighbour would wait for a cache line (3 of 24 ns
        // for a timer).
        WEFT_ASSERT(removed.next_ || last_ == &element);
        to_it = removed.next_;
        back_to_it = removed.previous_;
        removed.next_ = nullptr;
    }

    // Takes the first element out; nullptr if the chain is empty.
    T* pop() noexcept {
        T* const first = first_;
        if (first) remove(*first);
        return first;
    }

private:
    static ChainLink<T, Tag>& link(T& element) { return element; }

    T* first_ = nullptr;
    T* last_ = nullptr;
};

}  // namespace weft
