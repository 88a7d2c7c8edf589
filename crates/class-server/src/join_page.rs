//! The page on which students join a class. `/` asks for the code of the room, `/K7QF` joins it
//! directly: both are short enough to read aloud. All other paths belong to the notebook.

use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use bindpose_class_protocol::RoomCode;

use super::class_client::{ClassEntrance, RoomHost, Visitor};
use super::response_headers::JOIN_PAGE_POLICY;
use super::site::text_response;

const PAGE: &str = include_str!("join.html");
const SCRIPT: &str = include_str!("join.js");
/// Path of the page's script. A script within the page would need a weaker policy.
pub(super) const SCRIPT_PATH: &str = "/class/join.js";
/// Placeholder for an error message.
const ERROR_PLACEHOLDER: &str = "{words}";
/// Placeholder for the privacy statement.
const PRIVACY_PLACEHOLDER: &str = "{promise}";

/// Returns the join page or a redirect. Returns `None` if the request is for the notebook.
pub(super) async fn join_response(
    entrance: &ClassEntrance,
    visitor: &Visitor,
    uri: &Uri,
) -> Option<Response> {
    let path = uri.path();
    let query = uri.query().unwrap_or_default();
    if let Ok(code) = path.trim_start_matches('/').parse::<RoomCode>() {
        return Some(Redirect::to(&format!("/?class={code}")).into_response());
    }
    if path != "/" {
        return None;
    }
    let error = match query.split('&').find_map(|pair| pair.strip_prefix("class=")) {
        Some(code) => match is_room_code(entrance, visitor, code).await {
            Some(true) => return None,
            // The message does not repeat the code, because it is untrusted input.
            Some(false) => "No class has this code here. Look at the screen again.",
            None => return Some(text_response(429, "Too many wrong codes. Wait a minute.")),
        },
        None if query.is_empty() => "",
        None => return None,
    };
    let privacy = match entrance.rooms {
        RoomHost::Local(_) => "No account, and nothing is sent out of this room.",
        RoomHost::Remote(_) => {
            "No account, and of what you hand in nothing is kept for longer than a day."
        }
    };
    let page = Html(PAGE.replace(ERROR_PLACEHOLDER, error).replace(PRIVACY_PLACEHOLDER, privacy));
    let mut response = ([(CACHE_CONTROL, "no-store")], page).into_response();
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, JOIN_PAGE_POLICY);
    Some(response)
}

/// Returns the script of the page.
pub(super) async fn script_response() -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-store")];
    (headers, SCRIPT).into_response()
}

/// Returns whether a room has this code. Returns `None` if the client has tried too many wrong
/// ones.
async fn is_room_code(entrance: &ClassEntrance, visitor: &Visitor, code: &str) -> Option<bool> {
    match code.replace('+', " ").parse() {
        Ok(code) => entrance.may_have_room(&code, visitor).await,
        Err(_) => Some(false),
    }
}
