/** A bot for Schmier: "rules" plays a sensible strategy, "random" any legal choice. */
import type { Bot } from "./bot.js";
import { converse, UnknownQuestion } from "./conversation.js";
import { Random } from "./random.js";
import { Rules } from "./rules.js";
import { GoodbyeReason, Revision } from "./stubs/schmier/v1/referee_service.js";

const BOTS: Record<string, { name: string; bot: Bot }> = {
  rules: { name: "rule based typescript", bot: new Rules() },
  random: { name: "random legal typescript", bot: new Random() },
};

const WORTH_TELLING = new Set([
  GoodbyeReason.GOODBYE_REASON_REFUSED,
  GoodbyeReason.GOODBYE_REASON_REPLACED,
]);

/**
 * Returns the exit code: 0 after a goodbye or when the referee is gone, 1 when the bot was refused
 * or found no referee, 2 when it was not started as it should be.
 */
async function run(words: string[]): Promise<number> {
  const chosen = words.length > 1 ? undefined : BOTS[words[0] ?? "rules"];
  if (chosen === undefined) {
    console.error(`usage: main.js [rules|random], not ${JSON.stringify(words)}`);
    return 2;
  }
  const { SCHMIER_REFEREE: target, SCHMIER_TOKEN: token } = process.env;
  if (!target || !token) {
    const missing = target ? "SCHMIER_TOKEN" : "SCHMIER_REFEREE";
    console.error(
      `${missing} is not set: a bot is started by the referee. Try: schmier-referee match ` +
        "A B C, with the command of this bot as one of the three",
    );
    return 2;
  }
  const { name, bot } = chosen;
  const revision = Revision.REVISION_ONE;
  const hello = { token, name, version: "1", revision, maxBatch: 64, wantsGameEnded: false };
  try {
    const { welcomed, goodbye, details } = await converse(bot, hello, target);
    if (goodbye !== undefined && WORTH_TELLING.has(goodbye.reason)) {
      console.error(`goodbye from the referee: ${goodbye.text}`);
    } else if (!welcomed && goodbye === undefined) {
      console.error(`no referee at ${target}: ${details}`);
    }
    return welcomed ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UnknownQuestion)) throw error;
    console.error(error.message);
    return 1;
  }
}

process.exit(await run(process.argv.slice(2)));
