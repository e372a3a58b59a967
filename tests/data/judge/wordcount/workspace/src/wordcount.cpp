// wordcount [-o REPORT] [FILE...]: lines, words and bytes of each file, or of standard input.
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

struct Count {
    long lines = 0, words = 0, bytes = 0;
};

static Count count(std::istream &source) {
    Count found;
    bool inside = false;
    for (std::istreambuf_iterator<char> next(source), end; next != end; ++next) {
        unsigned char letter = static_cast<unsigned char>(*next);
        found.bytes++;
        found.lines += letter == '\n';
        bool word = !std::isspace(letter);
        found.words += word && !inside;
        inside = word;
    }
    return found;
}

static void show(std::ostream &out, const Count &found, const std::string &name) {
    const char *set = std::getenv("WORDCOUNT_SEPARATOR");
    std::string between = set ? set : " ";
    out << found.lines << between << found.words << between << found.bytes;
    if (!name.empty()) out << between << name;
    out << '\n';
}

int main(int argc, char **argv) {
    std::vector<std::string> names(argv + 1, argv + argc);
    std::string report;
    if (names.size() >= 2 && names[0] == "-o") {
        report = names[1];
        names.erase(names.begin(), names.begin() + 2);
    }
    std::ostringstream out;
    int status = 0;
    if (names.empty()) show(out, count(std::cin), "");
    for (const std::string &name : names) {
        std::ifstream file(name, std::ios::binary);
        if (!file) {
            std::cerr << "wordcount: " << name << ": no such file\n";
            status = 1;
            continue;
        }
        show(out, count(file), name);
    }
    if (report.empty()) {
        std::cout << out.str();
    } else {
        std::ofstream(report, std::ios::binary) << out.str();
    }
    return status;
}
