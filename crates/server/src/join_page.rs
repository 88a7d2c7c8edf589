//! The way into the class from an address that can be said aloud: `/` asks for the code,
//! `/K7QF` needs no asking. All else is the notebook.

use axum::http::Uri;
use axum::http::header::CACHE_CONTROL;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use bindpose_classroom::RoomCode;

use super::visitor::Rooms;

const PAGE: &str = include_str!("join.html");
/// Where the page says what is wrong.
const WORDS: &str = "{words}";
/// Where it says what becomes of what is handed in.
const PROMISE: &str = "{promise}";

/// The answer, where it is not the notebook's.
pub(super) async fn answer(rooms: &Rooms, asked: &Uri) -> Option<Response> {
    let (path, query) = (asked.path(), asked.query().unwrap_or_default());
    if let Ok(typed) = path.trim_start_matches('/').parse::<RoomCode>() {
        return Some(Redirect::to(&format!("/?class={typed}")).into_response());
    }
    if path != "/" {
        return None;
    }
    let words = match query.split('&').find_map(|pair| pair.strip_prefix("class=")) {
        Some(typed) if is_code_of_a_room(rooms, typed).await => return None,
        // What was typed is not repeated: it may be anything.
        Some(_) => "No class has this code here. Look at the screen again.",
        None if query.is_empty() => "",
        None => return None,
    };
    let promise = match rooms {
        Rooms::Here(_) => "No account, and nothing is sent out of this room.",
        Rooms::Relayed(_) => {
            "No account, and of what you hand in nothing is kept for longer than a day."
        }
    };
    let page = Html(PAGE.replace(WORDS, words).replace(PROMISE, promise));
    Some(([(CACHE_CONTROL, "no-store")], page).into_response())
}

async fn is_code_of_a_room(rooms: &Rooms, typed: &str) -> bool {
    match typed.replace('+', " ").parse() {
        Ok(code) => rooms.have(&code).await,
        Err(_) => false,
    }
}
