//! How the bot's process starts and ends: its argument, its two variables, its exit code.
//!
//! Exit codes: 0 after a goodbye or when the referee is gone, 1 when it was refused or found no
//! referee, 2 when it was not started as a bot is.

mod cards;
mod conversation;
mod random_legal;
mod rule_based;
mod strategy;

use std::env;
use std::process::ExitCode;

use conversation::{Ended, converse};
use pb::{GoodbyeReason, Hello, Revision};
use random_legal::RandomLegal;
use rule_based::RuleBased;
use strategy::Strategy;

/// The messages and the client, made from the files of the protocol by `build.rs`.
#[allow(clippy::all)]
mod pb {
    tonic::include_proto!("schmier.v1");
}

/// What the bot calls itself, and how it decides: your strategy goes here.
fn choose(word: &str) -> Option<(&'static str, Box<dyn Strategy>)> {
    match word {
        "rules" => Some(("rule based rust", Box::new(RuleBased))),
        "random" => Some(("random legal rust", Box::new(RandomLegal))),
        _ => None,
    }
}

fn main() -> ExitCode {
    let words: Vec<_> = env::args_os().skip(1).collect();
    let chosen = match words.as_slice() {
        [] => choose("rules"),
        [word] => word.to_str().and_then(choose),
        _ => None,
    };
    let Some((name, mut strategy)) = chosen else {
        eprintln!("start this bot as `bot rules` or `bot random`; without a word it plays rules");
        return ExitCode::from(2);
    };
    let Some(target) = variable("SCHMIER_REFEREE") else {
        return ExitCode::from(2);
    };
    let Some(token) = variable("SCHMIER_TOKEN") else {
        return ExitCode::from(2);
    };
    let hello = Hello {
        token,
        name: name.to_string(),
        version: "1".to_string(),
        revision: Some(Revision::One.into()),
        max_batch: Some(64),
        wants_game_ended: false,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime needs only memory and a few files");
    match runtime.block_on(converse(strategy.as_mut(), hello, &target)) {
        Ok(ended) => last_words(&ended, &target),
        Err(unknown) => {
            eprintln!("{unknown}");
            ExitCode::FAILURE
        }
    }
}

/// The value of an environment variable; says so if there is none.
fn variable(name: &str) -> Option<String> {
    let value = env::var(name).ok().filter(|value| !value.is_empty());
    if value.is_none() {
        eprintln!(
            "{name} is not set: a bot is started by the referee. Try: schmier-referee match A B C, \
             with the command of this bot as one of the three"
        );
    }
    value
}

fn last_words(ended: &Ended, target: &str) -> ExitCode {
    if let Some(goodbye) = &ended.goodbye {
        if let GoodbyeReason::Refused | GoodbyeReason::Replaced = goodbye.reason() {
            eprintln!("goodbye from the referee: {}", goodbye.text);
        }
    } else if !ended.welcomed {
        eprintln!("no referee at {target}: {}", ended.details);
    }
    if ended.welcomed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
