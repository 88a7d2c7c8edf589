//! The page on which students join a class. `/` asks for the code of the room, `/K7QF` joins it
//! directly: both are short enough to read aloud. All other paths belong to the notebook.

use axum::http::Uri;
use axum::http::header::CACHE_CONTROL;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use bindpose_class_protocol::RoomCode;

use super::class_client::RoomHost;

const PAGE: &str = include_str!("join.html");
/// Placeholder for an error message.
const ERROR_PLACEHOLDER: &str = "{words}";
/// Placeholder for the privacy statement.
const PRIVACY_PLACEHOLDER: &str = "{promise}";

/// Returns the join page or a redirect. Returns `None` if the request is for the notebook.
pub(super) async fn join_response(rooms: &RoomHost, uri: &Uri) -> Option<Response> {
    let path = uri.path();
    let query = uri.query().unwrap_or_default();
    if let Ok(code) = path.trim_start_matches('/').parse::<RoomCode>() {
        return Some(Redirect::to(&format!("/?class={code}")).into_response());
    }
    if path != "/" {
        return None;
    }
    let error = match query.split('&').find_map(|pair| pair.strip_prefix("class=")) {
        Some(code) if is_room_code(rooms, code).await => return None,
        // The message does not repeat the code, because it is untrusted input.
        Some(_) => "No class has this code here. Look at the screen again.",
        None if query.is_empty() => "",
        None => return None,
    };
    let privacy = match rooms {
        RoomHost::Local(_) => "No account, and nothing is sent out of this room.",
        RoomHost::Remote(_) => {
            "No account, and of what you hand in nothing is kept for longer than a day."
        }
    };
    let page = Html(PAGE.replace(ERROR_PLACEHOLDER, error).replace(PRIVACY_PLACEHOLDER, privacy));
    Some(([(CACHE_CONTROL, "no-store")], page).into_response())
}

async fn is_room_code(rooms: &RoomHost, code: &str) -> bool {
    match code.replace('+', " ").parse() {
        Ok(code) => rooms.may_have_room(&code).await,
        Err(_) => false,
    }
}
