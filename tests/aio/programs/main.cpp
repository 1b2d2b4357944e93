// Reads programs, a line each, and writes what each of their tasks did and when. After each
// program's trace comes a line with a single dot.

#include <iostream>

#include "aio/programs/world.h"
#include "aio/simulated/simulation.h"

int main() {
    using namespace weft::aio;
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        const programs::Block program = programs::read_program(line);
        programs::World world;
        {
            SimulatedLoop loop;
            loop.run(world.run_all(program));
        }
        world.write();
        fmt::print(".\n");
    }
}
