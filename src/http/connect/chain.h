#pragma once

#include <utility>

namespace weft::http {

template <class T, class Tag>
class Chain;

// The base class of the elements of a Chain. An element of several chains derives from one Link for
// each of them.
template <class T, class Tag>
class Link {
private:
    friend class Chain<T, Tag>;
    T* previous_ = nullptr;
    T* next_ = nullptr;
};

// An intrusive doubly linked list: the links are in the elements, which the chain does not own, so
// that adding and removing allocate nothing. `Tag` tells the chains of one element apart. An
// element must be removed before it is destroyed.
template <class T, class Tag>
class Chain {
public:
    bool empty() const { return first_ == nullptr; }
    T* first() const { return first_; }
    T* last() const { return last_; }

    // REQUIRES: the element is not in this chain.
    void push_back(T& element) noexcept {
        link(element).previous_ = last_;
        link(element).next_ = nullptr;
        (last_ ? link(*last_).next_ : first_) = &element;
        last_ = &element;
    }

    // REQUIRES: the element is in this chain.
    void remove(T& element) noexcept {
        T* const previous = link(element).previous_;
        T* const next = link(element).next_;
        (previous ? link(*previous).next_ : first_) = next;
        (next ? link(*next).previous_ : last_) = previous;
    }

private:
    static Link<T, Tag>& link(T& element) { return element; }

    T* first_ = nullptr;
    T* last_ = nullptr;
};

}  // namespace weft::http
