//! The conversation with the referee. You need not change it to write a bot.

use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Streaming;
use tonic::transport::Endpoint;

use crate::pb::action::Choice;
use crate::pb::decision::Question;
use crate::pb::referee_service_client::RefereeServiceClient;
use crate::pb::{
    Action, Actions, Decision, Discard, Goodbye, Hello, PlayRequest, PlayResponse, play_request,
    play_response,
};
use crate::strategy::Strategy;

/// An answer waits so long for the other answers of its message, and one choice more.
const FLUSH: Duration = Duration::from_millis(5);

/// How a conversation ended: the goodbye if there was one, and whether it had begun at all.
#[derive(Default)]
pub struct Ended {
    pub welcomed: bool,
    pub goodbye: Option<Goodbye>,
    pub details: String,
}

/// The referee asks what this program does not know.
#[derive(Debug)]
pub struct UnknownQuestion {
    decision_id: i32,
}

impl fmt::Display for UnknownQuestion {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(
            formatter,
            "decision {} asks what revision 1 of the protocol does not know: build this bot with \
             newer files of it",
            self.decision_id
        )
    }
}

impl Error for UnknownQuestion {}

/// Says hello and answers decisions until the referee says goodbye or is gone.
pub async fn converse(
    strategy: &mut dyn Strategy,
    hello: Hello,
    target: &str,
) -> Result<Ended, UnknownQuestion> {
    let mut ended = Ended::default();
    let (requests, waiting) = mpsc::unbounded_channel();
    let hello = play_request::Content::Hello(hello);
    send(&requests, hello);
    let mut responses = match open(target, UnboundedReceiverStream::new(waiting)).await {
        Ok(responses) => responses,
        Err(error) => {
            ended.details = innermost(error.as_ref());
            return Ok(ended);
        }
    };
    loop {
        let response = match responses.message().await {
            Ok(Some(response)) => response,
            Ok(None) => {
                ended.details = "the stream ended".to_string();
                break;
            }
            Err(status) => {
                ended.details = status.message().to_string();
                break;
            }
        };
        match response.content {
            // The welcome holds the rules and limits.
            Some(play_response::Content::Welcome(_)) => ended.welcomed = true,
            Some(play_response::Content::Decisions(asked)) => {
                answer_all(strategy, asked.decisions, &requests).await?;
            }
            Some(play_response::Content::Goodbye(goodbye)) => {
                ended.goodbye = Some(goodbye);
                break;
            }
            // A game that ended, or what a later referee says.
            Some(play_response::Content::GameEnded(_)) | None => {}
        }
    }
    Ok(ended)
}

type Requests = mpsc::UnboundedSender<PlayRequest>;

/// Connects to `HOST:PORT` or `unix:PATH` and opens the stream.
async fn open(
    target: &str,
    requests: UnboundedReceiverStream<PlayRequest>,
) -> Result<Streaming<PlayResponse>, Box<dyn Error>> {
    let endpoint = if target.starts_with("unix:") {
        Endpoint::from_shared(target.to_string())?
    } else {
        Endpoint::from_shared(format!("http://{target}"))?
    };
    let mut client = RefereeServiceClient::new(endpoint.connect().await?);
    Ok(client.play(requests).await?.into_inner())
}

/// Answers the decisions of one message in their order.
///
/// The answers go out together when none is left; but after 5 ms of choosing those that are there
/// go out first.
async fn answer_all(
    strategy: &mut dyn Strategy,
    decisions: Vec<Decision>,
    requests: &Requests,
) -> Result<(), UnknownQuestion> {
    let mut actions = Vec::with_capacity(decisions.len());
    let mut flush_at = Instant::now() + FLUSH;
    for decision in &decisions {
        actions.push(answer(strategy, decision)?);
        if Instant::now() >= flush_at {
            let actions = std::mem::take(&mut actions);
            send(
                requests,
                play_request::Content::Actions(Actions { actions }),
            );
            yield_now().await; // lets the connection, a task of this thread, write it
            flush_at = Instant::now() + FLUSH;
        }
    }
    if !actions.is_empty() {
        send(
            requests,
            play_request::Content::Actions(Actions { actions }),
        );
    }
    Ok(())
}

fn answer(strategy: &mut dyn Strategy, decision: &Decision) -> Result<Action, UnknownQuestion> {
    let choice = match &decision.question {
        Some(Question::Call(question)) => Choice::Call(strategy.call(decision, question)),
        Some(Question::Trump(question)) => Choice::Trump(strategy.trump(decision, question)),
        Some(Question::Discard(question)) => Choice::Discard(Discard {
            cards: strategy.discards(decision, question),
        }),
        Some(Question::Play(question)) => Choice::Play(strategy.play(decision, question)),
        None => {
            return Err(UnknownQuestion {
                decision_id: decision.id,
            });
        }
    };
    Ok(Action {
        decision_id: decision.id,
        choice: Some(choice),
    })
}

/// Hands a message to the stream; when the referee is gone the next read finds out.
fn send(requests: &Requests, content: play_request::Content) {
    let content = Some(content);
    requests.send(PlayRequest { content }).ok();
}

/// What is at the bottom of an error: the library's own words above it say less.
fn innermost(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
