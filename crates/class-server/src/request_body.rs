//! Reads the body of a request with a timeout and a maximum length, and without using more memory
//! than its bytes need.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::StatusCode;
use futures_util::{Stream, StreamExt as _};
use tokio::time::timeout;

/// Time until a body must be complete.
pub(super) const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Reads a body of at most `max_bytes`.
///
/// Returns the status of the response as an error if the body is longer, takes longer than
/// `time_limit`, or is incomplete.
pub(super) async fn read_body(
    body: Body,
    max_bytes: usize,
    time_limit: Duration,
) -> Result<Vec<u8>, StatusCode> {
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let parts = body.into_data_stream();
    timeout(time_limit, copy_parts(parts, max_bytes))
        .await
        .unwrap_or(Err(StatusCode::REQUEST_TIMEOUT))
}

/// Copies the parts into one buffer as they arrive. Each part is a slice of the read buffer of its
/// connection, and keeping a single byte of it would keep the whole buffer alive.
async fn copy_parts<E>(
    parts: impl Stream<Item = Result<Bytes, E>>,
    max_bytes: usize,
) -> Result<Vec<u8>, StatusCode> {
    let mut parts = std::pin::pin!(parts);
    let mut copied = Vec::new();
    while let Some(part) = parts.next().await {
        let Ok(part) = part else { return Err(StatusCode::BAD_REQUEST) };
        if copied.len() + part.len() > max_bytes {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        copied.extend_from_slice(&part);
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::stream::{iter, once, pending};

    use super::*;

    /// The read buffer of a connection. Counts its bytes while it is alive.
    struct ReadBuffer {
        bytes: Vec<u8>,
        alive_bytes: Arc<AtomicUsize>,
    }

    impl ReadBuffer {
        fn new(alive_bytes: &Arc<AtomicUsize>) -> Self {
            let bytes = vec![b'x'; 4096];
            alive_bytes.fetch_add(bytes.len(), Ordering::Relaxed);
            Self { bytes, alive_bytes: Arc::clone(alive_bytes) }
        }
    }

    impl AsRef<[u8]> for ReadBuffer {
        fn as_ref(&self) -> &[u8] {
            &self.bytes
        }
    }

    impl Drop for ReadBuffer {
        fn drop(&mut self) {
            self.alive_bytes.fetch_sub(self.bytes.len(), Ordering::Relaxed);
        }
    }

    #[tokio::test]
    async fn a_body_that_arrives_byte_by_byte_keeps_few_read_buffers_alive() {
        const LENGTH: usize = 2000;
        let alive_bytes = Arc::new(AtomicUsize::new(0));
        let max_alive_bytes = Arc::new(AtomicUsize::new(0));
        let stream_alive_bytes = Arc::clone(&alive_bytes);
        let stream_max_bytes = Arc::clone(&max_alive_bytes);
        let parts = iter(0..LENGTH).map(move |_| {
            let part = Bytes::from_owner(ReadBuffer::new(&stream_alive_bytes)).slice(..1);
            stream_max_bytes
                .fetch_max(stream_alive_bytes.load(Ordering::Relaxed), Ordering::Relaxed);
            Ok::<_, Infallible>(part)
        });
        let body = read_body(Body::from_stream(parts), LENGTH, BODY_TIMEOUT).await.unwrap();
        assert_eq!(body, vec![b'x'; LENGTH]);
        let max_alive_bytes = max_alive_bytes.load(Ordering::Relaxed);
        assert!(max_alive_bytes <= 2 * 4096, "{max_alive_bytes} bytes were alive at once");
        assert_eq!(alive_bytes.load(Ordering::Relaxed), 0);
    }

    /// A part of six bytes.
    const PART: Result<Bytes, Infallible> = Ok(Bytes::from_static(b"123456"));

    #[tokio::test]
    async fn a_body_that_is_too_long_is_rejected_with_or_without_a_known_length() {
        let with_length = read_body(Body::from(vec![0; 11]), 10, BODY_TIMEOUT).await;
        assert_eq!(with_length, Err(StatusCode::PAYLOAD_TOO_LARGE));
        let chunked = Body::from_stream(iter([PART, PART]));
        let chunked = read_body(chunked, 10, BODY_TIMEOUT).await;
        assert_eq!(chunked, Err(StatusCode::PAYLOAD_TOO_LARGE));
        let short = Body::from_stream(iter([PART]));
        assert_eq!(read_body(short, 10, BODY_TIMEOUT).await, Ok(b"123456".to_vec()));
    }

    #[tokio::test]
    async fn a_body_that_stalls_times_out() {
        let stalling = Body::from_stream(once(async { PART }).chain(pending()));
        let result = read_body(stalling, 10, Duration::from_millis(1)).await;
        assert_eq!(result, Err(StatusCode::REQUEST_TIMEOUT));
    }
}
