#pragma once

// Reads a log: JSON lines, one instruction each, as the prototype of DTR (Kirisame et al., ICLR 2021) writes them.

#include "log_error.hpp"
#include "log_fields.hpp"
#include "log_instruction.hpp"
#include "log_lines.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <istream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace tidepool {

namespace detail {

/// Turns the fields of one line into the instruction that they name.
class log_decoder {
public:
    log_decoder(const log_fields& fields, const log_place& place) : fields_(&fields), place_(&place) {}

    [[nodiscard]] log_instruction instruction()
    {
        using enum log_field;
        require(log_field::instruction, "line");
        kind_ = text(log_field::instruction);
        if (kind_ == "CONSTANT") {
            require_exactly({name});
            return log_constant{text(name)};
        }
        if (kind_ == "MEMORY") {
            require_exactly({memory, name});
            return log_memory{text(name), integer<byte_count>(memory, 0)};
        }
        if (kind_ == "ALIAS") {
            require_exactly({alias, name});
            return log_alias{text(name), integer<std::int32_t>(alias, log_alias::none)};
        }
        if (kind_ == "CALL") {
            require_exactly({arguments, name, results, time});
            return log_call{text(name), texts(arguments), texts(results), integer<nanoseconds>(time, 0)};
        }
        if (kind_ == "MUTATE") {
            require_exactly({arguments, mutated, name, time});
            return log_mutate{text(name), texts(arguments), indices(mutated), integer<nanoseconds>(time, 0)};
        }
        if (kind_ == "COPY") {
            require_exactly({destination, source});
            return log_copy{text(destination), text(source)};
        }
        if (kind_ == "COPY_FROM") {
            require_exactly({destination, source});
            return log_copy_from{text(destination), text(source)};
        }
        if (kind_ == "RELEASE") {
            require_exactly({name});
            return log_release{text(name)};
        }
        if (kind_ == "PIN") {
            require_exactly({name});
            return log_pin{text(name)};
        }
        if (kind_ == "ANNOTATE") {
            require_exactly({annotation});
            return log_annotate{text(annotation)};
        }
        place_->fail("an instruction " + excerpt(kind_),
                     "CONSTANT, MEMORY, ALIAS, CALL, MUTATE, COPY, COPY_FROM, RELEASE, PIN or ANNOTATE");
    }

private:
    void require(log_field field, const std::string& owner) const
    {
        if (!fields_->has(field)) {
            place_->fail("a " + owner + " without " + std::string(field_name(field)), "that field");
        }
    }

    void require_exactly(std::initializer_list<log_field> wanted) const
    {
        unsigned allowed = 1U << static_cast<unsigned>(log_field::instruction);
        for (const log_field field : wanted) {
            require(field, kind_);
            allowed |= 1U << static_cast<unsigned>(field);
        }
        for (unsigned i = 0; i < log_field_names.size(); ++i) {
            if ((allowed >> i & 1U) == 0 && fields_->has(log_field{static_cast<std::uint8_t>(i)})) {
                place_->fail("a " + kind_ + " with " + std::string(log_field_names[i]), "no such field there");
            }
        }
    }

    [[nodiscard]] std::string text(log_field field) const { return text((*fields_)[field], field); }

    [[nodiscard]] std::string text(const log_fields::scalar& value, log_field field) const
    {
        if (value.type != log_fields::kind::text) {
            wrong_type(value, field, "a string");
        }
        return std::string(value.text);
    }

    [[nodiscard]] std::vector<std::string> texts(log_field field) const
    {
        std::vector<std::string> all;
        all.reserve(require_list(field).size());
        for (const log_fields::scalar& value : fields_->list(field)) {
            all.push_back(text(value, field));
        }
        return all;
    }

    [[nodiscard]] std::vector<std::int32_t> indices(log_field field) const
    {
        std::vector<std::int32_t> all;
        for (const log_fields::scalar& value : require_list(field)) {
            all.push_back(integer<std::int32_t>(value, field, 0));
        }
        return all;
    }

    [[nodiscard]] std::span<const log_fields::scalar> require_list(log_field field) const
    {
        if ((*fields_)[field].type != log_fields::kind::list) {
            wrong_type((*fields_)[field], field, "a list");
        }
        return fields_->list(field);
    }

    template <class T>
    [[nodiscard]] T integer(log_field field, T lowest) const
    {
        return integer<T>((*fields_)[field], field, lowest);
    }

    template <class T>
    [[nodiscard]] T integer(const log_fields::scalar& value, log_field field, T lowest) const
    {
        if (value.type == log_fields::kind::list) {
            wrong_type(value, field, "a decimal number");
        }
        T number{};
        const char* const end = value.text.data() + value.text.size();
        const auto [stop, status] = std::from_chars(value.text.data(), end, number);
        if (status == std::errc::invalid_argument || stop != end) {
            place_->fail(std::string(field_name(field)) + " " + excerpt(value.text), "a decimal number");
        }
        if (status == std::errc::result_out_of_range || number < lowest) {
            place_->fail(std::string(field_name(field)) + " " + excerpt(value.text),
                         "a number from " + std::to_string(lowest) + " to " + std::to_string(std::numeric_limits<T>::max()));
        }
        return number;
    }

    [[noreturn]] void wrong_type(const log_fields::scalar& value, log_field field, const std::string& expected) const
    {
        const std::string what = value.type == log_fields::kind::list   ? "a list"
                                 : value.type == log_fields::kind::text ? "the string " + excerpt(value.text)
                                                                        : "the number " + excerpt(value.text);
        place_->fail(what + " as " + std::string(field_name(field)), expected);
    }

    const log_fields* fields_;
    const log_place* place_;
    std::string kind_;
};

}  // namespace detail

/// Reads instructions one by one. Instruction `i` of a log, from 0, stands on line `i + 1`: there are no other lines.
///
/// Errors are `log_error` with file and line; after one the reader is of no more use. Whether the instructions fit together
/// (tensors defined, calls complete) is for `program_from_log` to say. Memory: the longest line. Not safe to share.
class log_reader {
public:
    /// A longer line is refused before it is read to its end.
    static constexpr std::size_t longest_line = 16 * 1024 * 1024;

    /// Reads from `in`, which must outlive the reader; errors call it `file`.
    explicit log_reader(std::istream& in, std::string file = "<stream>") : lines_(in, std::move(file), longest_line) {}

    /// The next instruction, or nothing after the last. A log without any instruction is an error.
    std::optional<log_instruction> next()
    {
        const std::optional<std::string_view> line = lines_.next();
        const detail::log_place& place = lines_.place();
        if (!line) {
            if (place.line == 1) {
                place.fail("the end of an empty log", "an instruction");
            }
            return std::nullopt;
        }
        if (line->empty()) {
            place.fail("an empty line", "an instruction");
        }
        if (line->back() == '\r') {
            place.fail("a carriage return at the end of the line", "a line feed alone");
        }
        fields_.parse(*line, place);
        return detail::log_decoder(fields_, place).instruction();
    }

private:
    detail::log_lines lines_;
    detail::log_fields fields_;
};

/// Every instruction of a stream. Errors: `log_error`.
[[nodiscard]] inline std::vector<log_instruction> read_log(std::istream& in, std::string file = "<stream>")
{
    log_reader reader(in, std::move(file));
    std::vector<log_instruction> all;
    while (std::optional<log_instruction> instruction = reader.next()) {
        all.push_back(*std::move(instruction));
    }
    return all;
}

/// Every instruction of a file. Errors: `log_error`.
[[nodiscard]] inline std::vector<log_instruction> read_log(const std::filesystem::path& file)
{
    const detail::log_place whole{file.string(), 0};
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        whole.fail("a directory", "a log file");
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        whole.fail("no file that can be opened", "a log file");
    }
    return read_log(in, whole.file);
}

}  // namespace tidepool
