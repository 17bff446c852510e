#include "conversation.hpp"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <stdexcept>

#include "schmier/v1/referee_service.grpc.pb.h"

namespace bot {
namespace {

using schmier::v1::PlayRequest;
using schmier::v1::PlayResponse;
using Stream = grpc::ClientReaderWriterInterface<PlayRequest, PlayResponse>;
using Clock = std::chrono::steady_clock;

// An answer waits so long for the other answers of its message, and one choice more.
constexpr std::chrono::milliseconds kFlush{5};

void answer(Strategy& strategy, const Decision& decision, schmier::v1::Action& action) {
  action.set_decision_id(decision.id());
  switch (decision.question_case()) {
    case Decision::kCall:
      action.set_call(static_cast<schmier::v1::Bid>(strategy.call(decision)));
      break;
    case Decision::kTrump:
      action.set_trump(static_cast<schmier::v1::Suit>(strategy.trump(decision)));
      break;
    case Decision::kDiscard: {
      auto& cards = *action.mutable_discard();  // set even when no card goes
      for (int card : strategy.discards(decision)) {
        cards.add_cards(static_cast<schmier::v1::Card>(card));
      }
      break;
    }
    case Decision::kPlay:
      action.set_play(static_cast<schmier::v1::Card>(strategy.play(decision)));
      break;
    case Decision::QUESTION_NOT_SET:
      throw std::runtime_error("decision " + std::to_string(decision.id()) +
                               " asks what revision 1 of the protocol does not know: build "
                               "this bot with newer files of it");
  }
}

// Answers the decisions of one message in their order. The answers go out together when none is
// left; but after 5 ms of choosing those that are there go out first. A failed write needs no
// care: the next read fails too.
void answer_all(Strategy& strategy, const schmier::v1::Decisions& decisions, PlayRequest& request,
                Stream& stream) {
  request.Clear();
  auto flush_at = Clock::now() + kFlush;
  for (const Decision& decision : decisions.decisions()) {
    answer(strategy, decision, *request.mutable_actions()->add_actions());
    if (Clock::now() >= flush_at) {
      stream.Write(request);
      request.Clear();
      flush_at = Clock::now() + kFlush;
    }
  }
  if (request.has_actions()) stream.Write(request);
}

}  // namespace

Ended converse(Strategy& strategy, const schmier::v1::Hello& hello, const std::string& target) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto stub = schmier::v1::RefereeService::NewStub(
      grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);

  Ended ended;
  PlayRequest request;
  *request.mutable_hello() = hello;
  stream->Write(request);
  PlayResponse response;
  while (!ended.goodbye && stream->Read(&response)) {
    switch (response.content_case()) {
      case PlayResponse::kWelcome:  // response.welcome() holds the rules and limits
        ended.welcomed = true;
        break;
      case PlayResponse::kDecisions:
        answer_all(strategy, response.decisions(), request, *stream);
        break;
      case PlayResponse::kGoodbye:
        ended.goodbye = response.goodbye();
        break;
      default:  // a game that ended, or what a later referee says
        break;
    }
  }
  if (ended.goodbye) {
    stream->WritesDone();
    context.TryCancel();
  }
  ended.details = stream->Finish().error_message();
  if (ended.details.empty()) ended.details = "the stream ended";
  return ended;
}

}  // namespace bot
