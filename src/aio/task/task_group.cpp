#include "aio/task/task_group.h"

namespace weft::aio {

// Listens to one task of the group and holds a reference to it. It is in the group's list until the
// task is done, then deletes itself.
struct TaskGroup::Member final : DoneListener, ChainLink<TaskGroup::Member> {
    Member(TaskGroup& the_group, TaskBase& the_task) : group(the_group), task(the_task) {
        task.future().retain();
    }
    ~Member() { task.future().release(); }

    void on_done() noexcept override { group.on_done(*this); }

    TaskGroup& group;
    TaskBase& task;
};

void TaskGroup::add(TaskBase& task) {
    auto* member = new Member(*this, task);
    members_.push(*member);
    ++pending_;
    empty_.clear();
    task.future().add_listener(*member);
    if (aborting_) task.cancel();
}

void TaskGroup::cancel() noexcept {
    aborting_ = true;
    CancelBatch batch;
    for (Member* member = members_.last(); member; member = members_.previous(*member)) {
        batch.cancel(member->task);
    }
}

void TaskGroup::on_done(Member& member) noexcept {
    members_.remove(member);
    if (--pending_ == 0) empty_.set();

    FutureBase& future = member.task.future();
    if (!future.cancelled() && future.failed()) {
        errors_.push_back(future.retrieve_exception());
        if (!body_failed_ && !parent_cancel_requested_) {
            if (!aborting_) cancel();
            // The body may be suspended in any await. Cancelling the parent task ends it; finish()
            // takes the request back.
            parent_cancel_requested_ = true;
            parent_->cancel();
        }
    }
    delete &member;
}

Co<> TaskGroup::finish(std::exception_ptr body_exception) {
    std::exception_ptr cancellation;
    if (body_exception) {
        // A cancellation of the body is not an error of the group; it is rethrown if there are no
        // errors.
        if (is_cancellation(body_exception)) {
            cancellation = std::exchange(body_exception, nullptr);
        }
        body_failed_ = true;
        if (!aborting_) cancel();
    }
    while (pending_ > 0) {
        try {
            co_await empty_.wait();
        } catch (const CancelledError&) {
            cancellation = std::current_exception();
            body_failed_ = true;
            if (!aborting_) cancel();
        }
    }
    // Takes back the request that on_done() made. If no other request is left, the cancellation was
    // only the group's own and is dropped.
    if (parent_cancel_requested_ && parent_->uncancel() == 0) cancellation = nullptr;
    // Errors have priority, those of the body too. A cancellation that arrived while the group
    // waited is requested again below.
    if (cancellation && errors_.empty() && !body_exception) std::rethrow_exception(cancellation);
    if (body_exception) errors_.push_back(std::move(body_exception));
    if (errors_.empty()) co_return;
    if (parent_->cancelling() > 0) {  // From outside: thrown at the next await.
        parent_->uncancel();
        parent_->cancel();
    }
    throw ExceptionGroup(std::move(errors_));
}

}  // namespace weft::aio
