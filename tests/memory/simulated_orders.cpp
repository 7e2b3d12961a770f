// Whatever streams, events and the host do: the first unordered use is found, and no earlier; and the pool hands out nothing too early.

#include "simulated.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstring>
#include <vector>

namespace tp = tidepool;
using namespace testing_simulated;

namespace {

constexpr std::size_t streams = 4;
constexpr std::size_t events = 3;
constexpr std::size_t parts = 4;
constexpr std::size_t part_bytes = 64;

enum class act : unsigned char { use, host_use, record, wait, synchronise_stream, synchronise_event };

struct step {
    act what;
    std::size_t stream;
    std::size_t event;
    std::size_t begin;  ///< part
    std::size_t end;
    access_kind kind;
};

std::size_t below(std::size_t end) { return *rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, end)); }

std::vector<step> any_steps()
{
    std::vector<step> steps(below(60));
    for (step& each : steps) {
        each = {*rc::gen::element(act::use, act::use, act::use, act::host_use, act::record, act::record, act::wait, act::wait,
                                  act::synchronise_stream, act::synchronise_event),
                below(streams),
                below(events),
                below(parts),
                0,
                *rc::gen::element(access_kind::read, access_kind::write)};
        each.end = each.begin + 1 + below(parts - each.begin);
    }
    return steps;
}

/// Happens-before from its definition: who knows which steps, as sets.
class oracle {
public:
    /// Whether the step at `index` collides with one that it does not know of.
    bool collides(const std::vector<step>& steps, std::size_t index)
    {
        const step& now = steps[index];
        known_steps& stream = streams_[now.stream];
        switch (now.what) {
            case act::use:
                stream |= host_;
                stream.set(index);
                return finds_collision(steps, index, stream);
            case act::host_use:
                host_.set(index);
                return finds_collision(steps, index, host_);
            case act::record:
                events_[now.event] = stream | host_;
                break;
            case act::wait:
                stream |= events_[now.event];
                break;
            case act::synchronise_stream:
                host_ |= stream;
                break;
            case act::synchronise_event:
                host_ |= events_[now.event];
                break;
        }
        return false;
    }

private:
    using known_steps = std::bitset<64>;

    static bool finds_collision(const std::vector<step>& steps, std::size_t index, const known_steps& known)
    {
        const step& now = steps[index];
        for (std::size_t each = 0; each < index; ++each) {
            const step& before = steps[each];
            const bool uses = before.what == act::use || before.what == act::host_use;
            const bool writes = before.kind == access_kind::write || now.kind == access_kind::write;
            if (uses && writes && before.begin < now.end && now.begin < before.end && !known.test(each)) {
                return true;
            }
        }
        return false;
    }

    std::array<known_steps, streams> streams_{};
    std::array<known_steps, events> events_{};
    known_steps host_;
};

class subject {
public:
    subject()
    {
        for (tp::stream_view& each : streams_) {
            each = backend_.create_stream().value();
        }
        for (tp::event_view& each : events_) {
            each = backend_.create_event().value();
        }
    }

    bool collides(const step& now)
    {
        const std::byte* const at = block_ + now.begin * part_bytes;
        const std::size_t bytes = (now.end - now.begin) * part_bytes;
        switch (now.what) {
            case act::use:
                backend_.use(streams_[now.stream], at, bytes, now.kind);
                break;
            case act::host_use:
                backend_.use_on_host(at, bytes, now.kind);
                break;
            case act::record:
                backend_.record(events_[now.event], streams_[now.stream]);
                break;
            case act::wait:
                backend_.wait(streams_[now.stream], events_[now.event]);
                break;
            case act::synchronise_stream:
                backend_.synchronise(streams_[now.stream]);
                break;
            case act::synchronise_event:
                backend_.synchronise(events_[now.event]);
                break;
        }
        return !backend_.faults().empty();
    }

private:
    tp::simulated_backend backend_;
    std::array<tp::stream_view, streams> streams_{};
    std::array<tp::event_view, events> events_{};
    const std::byte* block_ = static_cast<const std::byte*>(backend_.allocate_device(parts * part_bytes).value());
};

/// Most collisions are left out, so that there is a history before the first.
RC_GTEST_PROP(SimulatedOrders, TheFirstUnorderedUseIsFound, ())
{
    subject found;
    oracle expected;
    std::vector<step> done;
    for (const step& next : any_steps()) {
        done.push_back(next);
        const oracle before = expected;
        const bool collides = expected.collides(done, done.size() - 1);
        if (collides && below(10) > 0) {
            expected = before;
            done.pop_back();
            continue;
        }
        RC_ASSERT(found.collides(next) == collides);
        if (collides) {
            RC_TAG("collided");
            return;
        }
    }
}

/// Kernels write a block's number into it and look for it again just before the block is freed in their order.
class pool_user {
public:
    pool_user()
    {
        for (tp::stream_view& each : streams_) {
            each = backend_.create_stream().value();
        }
    }

    void act_on(std::size_t stream, std::size_t choice)
    {
        std::vector<owned>& mine = owned_[stream];
        if (choice % 3 != 0 || mine.empty()) {
            make_block(stream, 256 * (1 + choice % 4));
        } else {
            drop_block(stream, mine[choice % mine.size()]);
            mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(choice % mine.size()));
        }
        backend_.advance(static_cast<tp::nanoseconds>(choice % 150));
    }
    void finish()
    {
        for (const tp::stream_view each : streams_) {
            backend_.synchronise(each);
        }
        RC_ASSERT(wrong_ == 0);
        RC_ASSERT(faults_of(backend_).empty());
    }

private:
    struct owned {
        unsigned char* at;
        std::size_t bytes;
        unsigned char number;
    };

    static tp::simulated::options small_device()
    {
        tp::simulated::options machine;
        machine.devices[0].bytes = 8192;
        return machine;
    }

    void make_block(std::size_t stream, std::size_t bytes)
    {
        const auto given = backend_.allocate_pooled(streams_[stream], bytes);
        if (given.ok()) {
            const owned fresh{static_cast<unsigned char*>(given.value()), bytes, ++last_number_};
            backend_.use(streams_[stream], fresh.at, bytes, access_kind::write);
            backend_.launch(streams_[stream], 100, [fresh] { std::memset(fresh.at, fresh.number, fresh.bytes); });
            owned_[stream].push_back(fresh);
        }
    }
    void drop_block(std::size_t stream, owned old)
    {
        backend_.use(streams_[stream], old.at, old.bytes, access_kind::read);
        backend_.launch(streams_[stream], 100, [this, old] { wrong_ += all_are(old.at, old.bytes, old.number) ? 0 : 1; });
        backend_.free_pooled(streams_[stream], old.at);
    }

    tp::simulated_backend backend_{small_device()};
    std::array<tp::stream_view, streams> streams_{};
    std::array<std::vector<owned>, streams> owned_{};
    unsigned char last_number_ = 0;
    int wrong_ = 0;
};

RC_GTEST_PROP(SimulatedOrders, ThePoolHandsOutNothingTooEarly, ())
{
    pool_user user;
    const std::size_t acts = below(200);
    for (std::size_t count = 0; count < acts; ++count) {
        const std::size_t stream = below(streams);
        user.act_on(stream, below(1000));
    }
    user.finish();
}

}  // namespace
