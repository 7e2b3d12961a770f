#pragma once

// Columns that line up.

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tidepool::tools {

/// Rows of cells; the first column is flushed left, the others right.
class text_table {
public:
    void add_row(std::vector<std::string> cells)
    {
        widths_.resize(std::max(widths_.size(), cells.size()));
        for (std::size_t column = 0; column < cells.size(); ++column) {
            widths_[column] = std::max(widths_[column], cells[column].size());
        }
        rows_.push_back(std::move(cells));
    }

    friend std::ostream& operator<<(std::ostream& out, const text_table& table)
    {
        for (const auto& row : table.rows_) {
            std::string line;
            for (std::size_t column = 0; column < row.size(); ++column) {
                const std::string space(table.widths_[column] - row[column].size(), ' ');
                line += column == 0 ? row[column] + space : "  " + space + row[column];
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
        return out;
    }

private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> widths_;
};

}  // namespace tidepool::tools
