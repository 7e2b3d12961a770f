#pragma once

// One line of a log as the fields of its JSON object.

#include "log_error.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tidepool::detail {

/// The fields that an instruction can have, in the order of their names, in which they are written.
enum class log_field : std::uint8_t {
    alias,
    annotation,
    arguments,
    destination,
    instruction,
    memory,
    mutated,
    name,
    results,
    source,
    time,
};

inline constexpr std::array<std::string_view, 11> log_field_names{"ALIAS",  "ANNOTATION", "ARGS",   "DST", "INSTRUCTION", "MEMORY",
                                                                  "MUTATE", "NAME",       "RESULT", "SRC", "TIME"};

constexpr std::string_view field_name(log_field field) noexcept { return log_field_names[static_cast<std::size_t>(field)]; }

/// The values of one line. Texts point into the line, or into this object where the line had to be decoded.
class log_fields {
public:
    enum class kind : std::uint8_t { missing, text, number, list };

    struct scalar {
        kind type = kind::missing;
        std::string_view text;  ///< a string's content, a number's digits
    };

    /// Reads a line. Throws `log_error` at `place` unless it is one flat JSON object of known fields, each once.
    void parse(std::string_view line, const log_place& place)
    {
        clear();
        if (!scan(line)) {
            clear();
            decode(line, place);
        }
    }

    [[nodiscard]] const scalar& operator[](log_field field) const noexcept { return values_[static_cast<std::size_t>(field)].value; }

    [[nodiscard]] bool has(log_field field) const noexcept { return (*this)[field].type != kind::missing; }

    /// The elements of a list, none for anything else.
    [[nodiscard]] std::span<const scalar> list(log_field field) const noexcept
    {
        const entry& e = values_[static_cast<std::size_t>(field)];
        return std::span(items_).subspan(e.first, e.count);
    }

private:
    struct entry {
        scalar value;
        std::size_t first = 0, count = 0;  // of a list's elements in items_
    };

    void clear()
    {
        values_.fill({});
        items_.clear();
        decoded_.clear();
    }

    entry* find(std::string_view name)
    {
        for (std::size_t i = 0; i < log_field_names.size(); ++i) {
            if (log_field_names[i] == name) {
                return &values_[i];
            }
        }
        return nullptr;
    }

    // The shape that recorders write: no space, no escape, ASCII only. False, whatever else there is: decode() takes over
    // and knows what to say.
    bool scan(std::string_view line)
    {
        cursor c{line.data(), line.data() + line.size()};
        if (!c.take('{')) {
            return false;
        }
        do {
            std::string_view name;
            if (!c.string(name) || !c.take(':')) {
                return false;
            }
            entry* const e = find(name);
            if (e == nullptr || e->value.type != kind::missing || !scan_value(c, *e)) {
                return false;
            }
        } while (c.take(','));
        return c.take('}') && c.at == c.end;
    }

    struct cursor {
        const char* at;
        const char* end;

        bool take(char expected) noexcept
        {
            if (at == end || *at != expected) {
                return false;
            }
            ++at;
            return true;
        }

        static constexpr bool plain(char symbol) noexcept
        {
            const auto code = static_cast<unsigned char>(symbol);
            return code >= 0x20 && code < 0x80 && symbol != '"' && symbol != '\\';
        }

        bool string(std::string_view& text) noexcept
        {
            if (!take('"')) {
                return false;
            }
            const char* const begin = at;
            while (at != end && plain(*at)) {
                ++at;
            }
            text = {begin, static_cast<std::size_t>(at - begin)};
            return take('"');
        }

        bool digits(std::string_view& text) noexcept
        {
            const char* const begin = at;
            while (at != end && *at >= '0' && *at <= '9') {
                ++at;
            }
            text = {begin, static_cast<std::size_t>(at - begin)};
            return text == "0" || (!text.empty() && text.front() != '0');
        }
    };

    static bool scan_scalar(cursor& c, scalar& value) noexcept
    {
        const bool quoted = c.at != c.end && *c.at == '"';
        value.type = quoted ? kind::text : kind::number;
        return quoted ? c.string(value.text) : c.digits(value.text);
    }

    bool scan_value(cursor& c, entry& e)
    {
        if (!c.take('[')) {
            return scan_scalar(c, e.value);
        }
        e.value.type = kind::list;
        e.first = items_.size();
        if (c.take(']')) {
            return true;
        }
        do {
            if (!scan_scalar(c, items_.emplace_back())) {
                return false;
            }
            ++e.count;
        } while (c.take(','));
        return c.take(']');
    }

    // Any other JSON. nlohmann's parser keeps its own stack, and nested values are refused when they open.
    void decode(std::string_view line, const log_place& place)
    {
        if (line.find('\0') != std::string_view::npos) {  // to nlohmann the end of the input
            place.fail("a NUL byte", "JSON text");
        }
        handler events{*this, place, line};
        nlohmann::json::sax_parse(line.begin(), line.end(), &events);
        if (!events.closed) {
            place.fail(excerpt(line), "one JSON object");
        }
    }

    struct handler {
        using number_integer_t = nlohmann::json::number_integer_t;
        using number_unsigned_t = nlohmann::json::number_unsigned_t;
        using number_float_t = nlohmann::json::number_float_t;
        using string_t = nlohmann::json::string_t;
        using binary_t = nlohmann::json::binary_t;

        log_fields& fields;
        const log_place& place;
        std::string_view line;
        entry* current = nullptr;
        bool opened = false, closed = false, in_list = false;

        bool null() { refuse("null"); }
        bool boolean(bool value) { refuse(value ? "true" : "false"); }
        bool number_integer(number_integer_t value) { return add(kind::number, std::to_string(value)); }
        bool number_unsigned(number_unsigned_t value) { return add(kind::number, std::to_string(value)); }
        bool number_float(number_float_t, const string_t& digits) { return add(kind::number, digits); }
        bool string(string_t& text) { return add(kind::text, text); }
        bool binary(binary_t&) { refuse("binary data"); }

        bool start_object(std::size_t)
        {
            if (opened) {
                refuse("an object inside the instruction");
            }
            return opened = true;
        }
        bool end_object() { return closed = true; }

        bool key(string_t& name)
        {
            current = fields.find(name);
            if (current == nullptr) {
                place.fail("a field " + excerpt(name), "a field of a log's instruction");
            }
            if (current->value.type != kind::missing) {
                place.fail("a second field " + excerpt(name), "each field once");
            }
            return true;
        }

        bool start_array(std::size_t)
        {
            if (current == nullptr || in_list) {
                refuse("a list");
            }
            current->value.type = kind::list;
            current->first = fields.items_.size();
            return in_list = true;
        }
        bool end_array()
        {
            in_list = false;
            return true;
        }

        bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&)
        {
            if (position > line.size()) {
                place.fail("a line cut in the middle, after " + excerpt(line.substr(line.size() - std::min<std::size_t>(line.size(), 20))),
                           "the rest of a JSON object");
            }
            place.fail("no JSON at byte " + std::to_string(position) + " of " + excerpt(line), "one JSON object");
        }

        bool add(kind type, std::string text)
        {
            if (current == nullptr) {
                refuse(type == kind::text ? "a string" : "a number");
            }
            const std::string_view kept = fields.decoded_.emplace_back(std::move(text));
            if (in_list) {
                fields.items_.push_back({type, kept});
                ++current->count;
            } else {
                current->value = {type, kept};
            }
            return true;
        }

        [[noreturn]] void refuse(const std::string& what) const
        {
            place.fail(what, current == nullptr ? "a JSON object" : "a string, an integer or a flat list of them");
        }
    };

    std::array<entry, log_field_names.size()> values_;
    std::vector<scalar> items_;
    std::deque<std::string> decoded_;  // never moves its strings
};

}  // namespace tidepool::detail
