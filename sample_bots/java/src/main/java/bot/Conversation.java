package bot;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import schmier.v1.Action;
import schmier.v1.Actions;
import schmier.v1.Decision;
import schmier.v1.Decisions;
import schmier.v1.Discard;
import schmier.v1.Goodbye;
import schmier.v1.Hello;
import schmier.v1.PlayRequest;
import schmier.v1.PlayResponse;
import schmier.v1.RefereeServiceGrpc;
import schmier.v1.Revision;

/**
 * The conversation with the referee: one stream, one decision at a time. Nothing here needs to be
 * touched to write a bot.
 *
 * <p>The answers to one message go out together when none is left; but when 5 ms have been spent
 * since it came, or since answers were last sent, the answers there are go out first.
 */
final class Conversation {
  private static final int MAX_BATCH = 64;
  private static final long FLUSH_NANOS = 5_000_000;
  private static final long CLOSING_MS = 500;

  /** gRPC's own notes would mix with what the bot prints. Kept here, or the setting is lost. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  static {
    GRPC.setLevel(Level.OFF);
  }

  private final Strategy strategy;
  private final String target;
  private BlockingClientCall<PlayRequest, PlayResponse> call;

  Conversation(Strategy strategy, String target) {
    this.strategy = strategy;
    this.target = target;
  }

  /** Plays until the referee says goodbye or is gone; returns the exit code of the process. */
  int hold(String token, String name) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(target, InsecureChannelCredentials.create())
            .proxyDetector(address -> null) // the referee is on this machine
            .disableServiceConfigLookUp()
            .build();
    try {
      call = RefereeServiceGrpc.newBlockingV2Stub(channel).play();
      Hello hello =
          Hello.newBuilder()
              .setToken(token)
              .setName(name)
              .setVersion("1")
              .setRevision(Revision.REVISION_ONE)
              .setMaxBatch(MAX_BATCH)
              .build();
      send(PlayRequest.newBuilder().setHello(hello).build());
      return listen();
    } catch (InterruptedException interrupted) {
      return 130;
    }
  }

  private int listen() throws InterruptedException {
    boolean welcomed = false;
    try {
      PlayResponse message;
      while ((message = call.read()) != null) {
        switch (message.getContentCase()) {
          case WELCOME -> welcomed = true;
          case DECISIONS -> answer(message.getDecisions());
          case GOODBYE -> {
            close();
            return end(message.getGoodbye(), welcomed);
          }
          default -> {} // from a later revision, or not for this bot
        }
      }
      if (!welcomed) {
        System.err.println("no referee at " + target + ": the stream ended");
      }
    } catch (UnknownQuestionException unknown) {
      System.err.println(unknown.getMessage());
      return 1;
    } catch (StatusException gone) {
      if (!welcomed) {
        System.err.println("no referee at " + target + ": " + details(gone.getStatus()));
      }
    }
    return welcomed ? 0 : 1;
  }

  /** Ends this side of the stream, and gives the referee a moment to end its own. */
  private void close() throws InterruptedException {
    call.halfClose();
    try {
      while (call.read(CLOSING_MS, TimeUnit.MILLISECONDS) != null) {}
    } catch (StatusException | TimeoutException gone) {
      return;
    }
  }

  private static int end(Goodbye goodbye, boolean welcomed) {
    switch (goodbye.getReason()) {
      case GOODBYE_REASON_REFUSED, GOODBYE_REASON_REPLACED ->
          System.err.println("goodbye from the referee: " + goodbye.getText());
      default -> {} // nothing is wrong
    }
    return welcomed ? 0 : 1;
  }

  private void answer(Decisions decisions) throws InterruptedException {
    Actions.Builder actions = Actions.newBuilder();
    long start = System.nanoTime();
    for (Decision decision : decisions.getDecisionsList()) {
      actions.addActions(answer(decision));
      if (System.nanoTime() - start >= FLUSH_NANOS) {
        send(PlayRequest.newBuilder().setActions(actions).build());
        actions.clear();
        start = System.nanoTime();
      }
    }
    if (actions.getActionsCount() > 0) {
      send(PlayRequest.newBuilder().setActions(actions).build());
    }
  }

  private Action.Builder answer(Decision decision) {
    Action.Builder action = Action.newBuilder().setDecisionId(decision.getId());
    return switch (decision.getQuestionCase()) {
      case CALL -> action.setCallValue(strategy.call(decision));
      case TRUMP -> action.setTrumpValue(strategy.trump(decision));
      case DISCARD ->
          action.setDiscard(Discard.newBuilder().addAllCardsValue(strategy.discards(decision)));
      case PLAY -> action.setPlayValue(strategy.play(decision));
      case QUESTION_NOT_SET -> throw new UnknownQuestionException(decision);
    };
  }

  /** Sends a message; when the referee is gone the next read finds out, and reads a goodbye. */
  private void send(PlayRequest request) throws InterruptedException {
    try {
      call.write(request);
    } catch (StatusException | IllegalStateException gone) {
      return;
    }
  }

  private static String details(Status status) {
    Throwable cause = status.getCause();
    String text = status.getDescription();
    if (cause != null) {
      text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
    return text == null ? status.getCode().toString() : text.lines().findFirst().orElse("");
  }

  private static final class UnknownQuestionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnknownQuestionException(Decision decision) {
      super(
          "decision "
              + decision.getId()
              + " asks what revision 1 of the protocol does not know: take the newer .proto files");
    }
  }
}
