//! Runs hooks as jcli does. What to do comes as JSON on stdin, what came of it leaves as the last line of stdout.
//!
//! `chain`: lists of events; those of one list at the same time, each through the hooks that are installed.
//! `talk`: prompts, one after the other, to the whole of jcli but its terminal.

use serde_json::{Value, json};
use std::io::Read;

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("stdin");
    let input: Value = serde_json::from_str(&input).expect("JSON on stdin");
    let output = match std::env::args().nth(1).as_deref() {
        Some("chain") => chain::run(&input),
        Some("talk") => talk::run(&input),
        other => panic!("no such command: {other:?}"),
    };
    println!("\n{output}");
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

mod chain {
    use super::*;
    use j_agent::infra::hook::{HookContext, HookEvent, HookManager};
    use std::thread;

    pub fn run(batches: &Value) -> Value {
        let manager = HookManager::load();
        let batches = batches.as_array().expect("a list");
        batches
            .iter()
            .map(|batch| together(&manager, batch.as_array().expect("a list")))
            .collect()
    }

    fn together(manager: &HookManager, events: &[Value]) -> Value {
        thread::scope(|scope| {
            let running: Vec<_> = events
                .iter()
                .map(|event| scope.spawn(|| execute(manager, event)))
                .collect();
            running
                .into_iter()
                .map(|each| each.join().expect("a thread"))
                .collect()
        })
    }

    /// What the hooks make of an event, null for what they leave as it is.
    fn execute(manager: &HookManager, given: &Value) -> Value {
        let event =
            HookEvent::parse(&text(given, "event").expect("an event")).expect("an event of jcli");
        let context = HookContext {
            event,
            messages: given
                .get("messages")
                .map(|list| serde_json::from_value(list.clone()).expect("messages")),
            system_prompt: text(given, "system_prompt"),
            model: text(given, "model"),
            user_input: text(given, "user_input"),
            assistant_output: text(given, "assistant_output"),
            tool_name: text(given, "tool_name"),
            tool_arguments: text(given, "tool_arguments"),
            tool_result: text(given, "tool_result"),
            tool_error: text(given, "tool_error"),
            session_id: text(given, "session_id"),
            ..Default::default()
        };
        let Some(made) = manager.execute(event, context, &[]) else {
            return Value::Null;
        };
        json!({
            "halt": if made.is_stop() { Some("stop") } else if made.is_skip() { Some("skip") } else { None },
            "messages": made.messages,
            "inject_messages": made.inject_messages,
            "system_prompt": made.system_prompt,
            "user_input": made.user_input,
            "assistant_output": made.assistant_output,
            "tool_arguments": made.tool_arguments,
            "tool_result": made.tool_result,
            "tool_error": made.tool_error,
            "retry_feedback": made.retry_feedback,
            "additional_context": made.additional_context,
            "system_message": made.system_message,
        })
    }
}

mod talk {
    use super::*;
    use j_cli::command::chat::app::ChatApp;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    const LONGEST_TURN: Duration = Duration::from_secs(60);

    pub fn run(prompts: &Value) -> Value {
        let mut app = ChatApp::new("e2e".to_owned());
        // Nobody is there to say yes to each call.
        app.ui.auto_approve = true;
        let turns = prompts.as_array().expect("a list").iter();
        turns
            .map(|prompt| turn(&mut app, prompt.as_str().expect("a prompt")))
            .collect()
    }

    /// The conversation after a prompt, and what jcli shows beside it.
    fn turn(app: &mut ChatApp, prompt: &str) -> Value {
        let started = Instant::now();
        app.ui.toast = None;
        app.send_message_internal(prompt.to_owned());
        while app.state.is_loading {
            for action in app.poll_stream_actions() {
                app.update(action);
            }
            assert!(started.elapsed() < LONGEST_TURN, "the turn does not end");
            sleep(Duration::from_millis(5));
        }
        let messages = app.context_messages.lock().expect("messages").clone();
        json!({ "messages": messages, "toast": app.ui.toast.as_ref().map(|(text, ..)| text) })
    }
}
