package bot;

/** Starts the bot: {@code rules} plays the rule-based strategy, {@code random} the other. */
public final class Main {
  private static final int WRONG_USE = 2;

  private Main() {}

  public static void main(String[] arguments) {
    String which = arguments.length == 0 ? "rules" : String.join(" ", arguments);
    switch (which) {
      case "rules" -> play(new RuleBased(), "rule based java");
      case "random" -> play(new RandomLegal(), "random legal java");
      default -> fail("there is no strategy \"" + which + "\": say rules or random");
    }
  }

  private static void play(Strategy strategy, String name) {
    String target = variable("SCHMIER_REFEREE");
    String token = variable("SCHMIER_TOKEN");
    System.exit(new Conversation(strategy, target).hold(token, name));
  }

  private static String variable(String name) {
    String value = System.getenv(name);
    if (value == null || value.isEmpty()) {
      fail(
          name
              + " is not set: a bot is started by the referee. "
              + "Try: schmier-referee match A B C, "
              + "with the command of this bot as one of the three");
    }
    return value;
  }

  private static void fail(String line) {
    System.err.println(line);
    System.exit(WRONG_USE);
  }
}
