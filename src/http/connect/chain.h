#pragma once

#include <utility>

namespace weft::http {

template <class T, class Tag>
class Chain;

// A place in a Chain. What is in several chains at once derives from one Link for each.
template <class T, class Tag>
class Link {
private:
    friend class Chain<T, Tag>;
    T* previous_ = nullptr;
    T* next_ = nullptr;
};

// A doubly linked list through its own elements, which it does not own: putting something in and
// taking it out allocates nothing. `Tag` tells the chains of an element apart.
template <class T, class Tag>
class Chain {
public:
    bool empty() const { return first_ == nullptr; }
    T* first() const { return first_; }
    T* last() const { return last_; }

    void push_back(T& element) noexcept {
        link(element).previous_ = last_;
        link(element).next_ = nullptr;
        (last_ ? link(*last_).next_ : first_) = &element;
        last_ = &element;
    }

    // REQUIRES: it is in this chain.
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
