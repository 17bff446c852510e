/** The conversation with the referee: one stream, one decision at a time. */
import { setImmediate } from "node:timers/promises";
import { credentials, type ClientDuplexStream, type ServiceError } from "@grpc/grpc-js";
import type { Bot } from "./bot.js";
import type { Action, Decision } from "./stubs/schmier/v1/decision.js";
import {
  RefereeServiceClient,
  type Goodbye,
  type Hello,
  type PlayRequest,
  type PlayResponse,
} from "./stubs/schmier/v1/referee_service.js";
import type { Rules } from "./stubs/schmier/v1/rules.js";

/**
 * The answers to one message of the referee go out together when none is left; but when so much
 * time was spent on choosing, those that are there go out first.
 */
const FLUSH_MS = 5;

type Stream = ClientDuplexStream<PlayRequest, PlayResponse>;

/** How a conversation ended: without a goodbye, the details say why. */
export interface Ended {
  welcomed: boolean;
  goodbye?: Goodbye;
  details: string;
}

/** The referee asks what this revision of the protocol does not know. */
export class UnknownQuestion extends Error {}

/** Says hello and answers decisions until the referee says goodbye or is gone. */
export async function converse(bot: Bot, hello: Hello, target: string): Promise<Ended> {
  const ended: Ended = { welcomed: false, details: "the stream ended" };
  const options = { "grpc.enable_http_proxy": 0 };
  const client = new RefereeServiceClient(target, credentials.createInsecure(), options);
  const stream: Stream = client.play();
  let rules: Rules | undefined;
  stream.write({ content: { $case: "hello", hello } });
  try {
    for await (const { content } of stream as AsyncIterable<PlayResponse>) {
      switch (content?.$case) {
        case "decisions":
          await answerAll(bot, content.decisions.decisions, rules, stream);
          break;
        case "welcome":
          ended.welcomed = true;
          rules = content.welcome.rules;
          break;
        case "goodbye":
          ended.goodbye = content.goodbye;
          return ended;
      }
    }
  } catch (error) {
    if (!isServiceError(error)) throw error;
    ended.details = error.details;
  }
  return ended;
}

/** Whether an error is the stream's: the referee is gone. All others are the bot's own. */
function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "details" in error && "metadata" in error;
}

async function answerAll(
  bot: Bot,
  decisions: Decision[],
  rules: Rules | undefined,
  stream: Stream,
): Promise<void> {
  let actions: Action[] = [];
  let flushAt = performance.now() + FLUSH_MS;
  for (const decision of decisions) {
    actions.push({ decisionId: decision.id, choice: choose(bot, decision, rules) });
    if (performance.now() >= flushAt) {
      send(actions, stream);
      // What was written leaves when the program waits.
      await setImmediate();
      actions = [];
      flushAt = performance.now() + FLUSH_MS;
    }
  }
  if (actions.length > 0) send(actions, stream);
}

function send(actions: Action[], stream: Stream): void {
  stream.write({ content: { $case: "actions", actions: { actions } } });
}

function choose(bot: Bot, decision: Decision, rules: Rules | undefined): Action["choice"] {
  const { question } = decision;
  switch (question?.$case) {
    case "play":
      return { $case: "play", play: bot.play(question.play, decision, rules) };
    case "call":
      return { $case: "call", call: bot.call(question.call, decision, rules) };
    case "trump":
      return { $case: "trump", trump: bot.trump(question.trump, decision, rules) };
    case "discard": {
      const cards = bot.discards(question.discard, decision, rules);
      return { $case: "discard", discard: { cards } };
    }
    default:
      throw new UnknownQuestion(
        `decision ${decision.id} asks what revision 1 of the protocol does not know: ` +
          "build the bot with newer protocol files",
      );
  }
}
