#pragma once

// Writes a log in the form in which it is read: JSON lines with sorted keys, numbers as decimal strings, no spaces.

#include "log_error.hpp"
#include "log_instruction.hpp"
#include "replacement_file.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tidepool {

namespace detail {

/// Appends instructions to a text, a line each.
class log_formatter {
public:
    explicit log_formatter(std::string& text) : text_(&text) {}

    /// Throws `log_error` for a name that is not UTF-8 (JSON cannot hold it), and leaves the text as it was.
    void append(const log_instruction& instruction)
    {
        const std::size_t before = text_->size();
        try {
            std::visit([this](const auto& each) { format(each); }, instruction);
        } catch (...) {
            text_->resize(before);
            throw;
        }
        *text_ += "}\n";
    }

private:
    void format(const log_constant& constant) { begin("INSTRUCTION", "CONSTANT"), field("NAME", constant.name); }
    void format(const log_memory& memory)
    {
        begin("INSTRUCTION", "MEMORY"), field("MEMORY", std::to_string(memory.bytes)), field("NAME", memory.name);
    }
    void format(const log_alias& alias)
    {
        begin("ALIAS", std::to_string(alias.argument)), field("INSTRUCTION", "ALIAS"), field("NAME", alias.name);
    }
    void format(const log_call& call)
    {
        begin("ARGS", call.arguments), field("INSTRUCTION", "CALL"), field("NAME", call.name), field("RESULT", call.results);
        field("TIME", std::to_string(call.time));
    }
    void format(const log_mutate& mutate)
    {
        begin("ARGS", mutate.arguments), field("INSTRUCTION", "MUTATE"), field("MUTATE", mutate.mutated), field("NAME", mutate.name);
        field("TIME", std::to_string(mutate.time));
    }
    void format(const log_copy& copy) { begin("DST", copy.destination), field("INSTRUCTION", "COPY"), field("SRC", copy.source); }
    void format(const log_copy_from& copy) { begin("DST", copy.destination), field("INSTRUCTION", "COPY_FROM"), field("SRC", copy.source); }
    void format(const log_release& gone) { begin("INSTRUCTION", "RELEASE"), field("NAME", gone.name); }
    void format(const log_pin& pin) { begin("INSTRUCTION", "PIN"), field("NAME", pin.name); }
    void format(const log_annotate& mark) { begin("ANNOTATION", mark.annotation), field("INSTRUCTION", "ANNOTATE"); }

    template <class Value>
    void begin(std::string_view name, const Value& first)
    {
        *text_ += '{';
        member(name, first);
    }

    template <class Value>
    void field(std::string_view name, const Value& next)
    {
        *text_ += ',';
        member(name, next);
    }

    template <class Value>
    void member(std::string_view name, const Value& content)
    {
        value(name);
        *text_ += ':';
        value(content);
    }

    template <class Element>
    void value(const std::vector<Element>& elements)
    {
        *text_ += '[';
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (i > 0) {
                *text_ += ',';
            }
            value(elements[i]);
        }
        *text_ += ']';
    }

    void value(std::int32_t number) { *text_ += std::to_string(number); }

    void value(std::string_view content)
    {
        bool plain = true;
        for (const char symbol : content) {
            const auto code = static_cast<unsigned char>(symbol);
            plain = plain && code >= 0x20 && code < 0x7f && symbol != '"' && symbol != '\\';
        }
        if (plain) {
            *text_ += '"';
            *text_ += content;
            *text_ += '"';
        } else {
            escape(content);
        }
    }

    void escape(std::string_view content)
    {
        try {
            *text_ += nlohmann::json(content).dump();
        } catch (const nlohmann::json::type_error&) {
            throw log_error("<log to write>", 0, "the name " + excerpt(content), "UTF-8");
        }
    }

    std::string* text_;
};

}  // namespace detail

/// Writes instructions to a stream one by one, which must outlive the writer. Not safe to share.
class log_writer {
public:
    explicit log_writer(std::ostream& out) : out_(&out) {}

    /// Throws `log_error` for a name that is not UTF-8, and when the stream fails.
    void write(const log_instruction& instruction)
    {
        line_.clear();
        detail::log_formatter(line_).append(instruction);
        if (!out_->write(line_.data(), static_cast<std::streamsize>(line_.size()))) {
            throw log_error("<stream>", 0, "a write that failed", "room for the log");
        }
    }

private:
    std::ostream* out_;
    std::string line_;
};

/// Writes a log to a stream. Errors: `log_error`.
inline void write_log(std::ostream& out, std::span<const log_instruction> log)
{
    log_writer writer(out);
    for (const log_instruction& instruction : log) {
        writer.write(instruction);
    }
}

/// Writes a log to a file, all or nothing: it is written beside the file, which it replaces at the end. Errors: `log_error`.
inline void write_log(const std::filesystem::path& file, std::span<const log_instruction> log)
{
    constexpr std::size_t chunk = 64 * 1024;
    replacement_file replacement(file);
    std::string text;
    for (const log_instruction& instruction : log) {
        detail::log_formatter(text).append(instruction);
        if (text.size() >= chunk) {
            replacement.write(text);
            text.clear();
        }
    }
    replacement.write(text);
    replacement.commit();
}

}  // namespace tidepool
