// How the bot's process starts and ends: its argument, its two variables, its exit code.
//
// Exit codes: 0 after a goodbye or when the referee is gone, 1 when it was refused or found no
// referee, 2 when it was not started as a bot is.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "conversation.hpp"
#include "random_legal.hpp"
#include "rule_based.hpp"

namespace {

// A strategy, and what the bot calls itself with it.
struct Choice {
  std::string name;
  std::unique_ptr<bot::Strategy> strategy;
};

// Your strategy goes here.
Choice choose(std::string_view argument) {
  if (argument == "rules") return {"rule based cpp", std::make_unique<bot::RuleBased>()};
  if (argument == "random") return {"random legal cpp", std::make_unique<bot::RandomLegal>()};
  return {};
}

// The value of an environment variable; ends the program if there is none.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') {
    std::cerr << name << " is not set: a bot is started by the referee. Try: schmier-referee match "
              << "A B C, with the command of this bot as one of the three\n";
    std::exit(2);
  }
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const Choice choice = argc > 2 ? Choice{} : choose(argc == 2 ? argv[1] : "rules");
  if (!choice.strategy) {
    std::cerr << "start this bot as `bot rules` or `bot random`; without a word it plays rules\n";
    return 2;
  }
  const std::string target = variable("SCHMIER_REFEREE");
  schmier::v1::Hello hello;
  hello.set_token(variable("SCHMIER_TOKEN"));
  hello.set_name(choice.name);
  hello.set_version("1");
  hello.set_revision(schmier::v1::REVISION_ONE);
  hello.set_max_batch(64);
  // gRPC's own notes would mix with what the bot prints.
  setenv("GRPC_VERBOSITY", "NONE", 0);
  try {
    const bot::Ended ended = bot::converse(*choice.strategy, hello, target);
    if (ended.goodbye && (ended.goodbye->reason() == schmier::v1::GOODBYE_REASON_REFUSED ||
                          ended.goodbye->reason() == schmier::v1::GOODBYE_REASON_REPLACED)) {
      std::cerr << "goodbye from the referee: " << ended.goodbye->text() << '\n';
    }
    if (ended.welcomed) return 0;
    if (!ended.goodbye) std::cerr << "no referee at " << target << ": " << ended.details << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
