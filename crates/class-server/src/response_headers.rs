//! Headers that limit what browsers do with a response, in case a page is ever tricked.

use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::response::Response;

/// Policy of the notebook's pages. Other hosts need at least as much: see `docs/platforms.md`.
/// Has no `frame-ancestors`, because learning platforms may embed the pages.
const PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'self'",
);

/// Policy of the page on which students join a class.
pub(super) const JOIN_PAGE_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'self'",
);

/// Adds the headers. A policy that the response has already is kept.
pub(super) async fn add_protective_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(PAGE_POLICY);
    response
}
