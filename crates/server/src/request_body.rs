//! Reads the body of a request: within a time, up to a length, and in no more memory than its
//! bytes take.

use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::StatusCode;
use futures_util::{Stream, StreamExt as _};
use tokio::time::timeout;

/// Time for a whole body, as for a whole head.
pub(super) const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Reads a body of at most `max_bytes`.
///
/// Returns the status to answer with if the body is longer, takes longer than `time`, or
/// breaks off.
pub(super) async fn read_body(
    body: Body,
    max_bytes: usize,
    time: Duration,
) -> Result<Vec<u8>, StatusCode> {
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let parts = body.into_data_stream();
    timeout(time, copy_parts(parts, max_bytes)).await.unwrap_or(Err(StatusCode::REQUEST_TIMEOUT))
}

/// Copies the parts into one buffer as they come. Each part shares the read buffer of its
/// connection: if one byte of it were kept, all of that buffer would be.
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

    /// The read buffer of a connection, counted while it is kept.
    struct ReadBuffer {
        bytes: Vec<u8>,
        kept_bytes: Arc<AtomicUsize>,
    }

    impl ReadBuffer {
        fn new(kept_bytes: &Arc<AtomicUsize>) -> Self {
            let bytes = vec![b'x'; 4096];
            kept_bytes.fetch_add(bytes.len(), Ordering::Relaxed);
            Self { bytes, kept_bytes: Arc::clone(kept_bytes) }
        }
    }

    impl AsRef<[u8]> for ReadBuffer {
        fn as_ref(&self) -> &[u8] {
            &self.bytes
        }
    }

    impl Drop for ReadBuffer {
        fn drop(&mut self) {
            self.kept_bytes.fetch_sub(self.bytes.len(), Ordering::Relaxed);
        }
    }

    #[tokio::test]
    async fn a_body_that_comes_byte_by_byte_keeps_one_read_buffer_at_most() {
        const LENGTH: usize = 2000;
        let kept_bytes = Arc::new(AtomicUsize::new(0));
        let most_kept = Arc::new(AtomicUsize::new(0));
        let (counter, most) = (Arc::clone(&kept_bytes), Arc::clone(&most_kept));
        let parts = iter(0..LENGTH).map(move |_| {
            let part = Bytes::from_owner(ReadBuffer::new(&counter)).slice(..1);
            most.fetch_max(counter.load(Ordering::Relaxed), Ordering::Relaxed);
            Ok::<_, Infallible>(part)
        });
        let read = read_body(Body::from_stream(parts), LENGTH, BODY_TIMEOUT).await.unwrap();
        assert_eq!(read, vec![b'x'; LENGTH]);
        let most_kept = most_kept.load(Ordering::Relaxed);
        assert!(most_kept <= 2 * 4096, "{most_kept} bytes were kept at once");
        assert_eq!(kept_bytes.load(Ordering::Relaxed), 0);
    }

    #[tokio::test]
    async fn a_body_that_is_too_long_is_refused_with_or_without_a_length() {
        let announced = read_body(Body::from(vec![0; 11]), 10, BODY_TIMEOUT).await;
        assert_eq!(announced, Err(StatusCode::PAYLOAD_TOO_LARGE));
        let part = || Ok::<_, Infallible>(Bytes::from_static(b"123456"));
        let chunked = Body::from_stream(iter([part(), part()]));
        let chunked = read_body(chunked, 10, BODY_TIMEOUT).await;
        assert_eq!(chunked, Err(StatusCode::PAYLOAD_TOO_LARGE));
        let fits = Body::from_stream(iter([part()]));
        assert_eq!(read_body(fits, 10, BODY_TIMEOUT).await, Ok(b"123456".to_vec()));
    }

    #[tokio::test]
    async fn a_body_that_stalls_is_cut() {
        let first = once(async { Ok::<_, Infallible>(Bytes::from_static(b"{")) });
        let stalls = Body::from_stream(first.chain(pending()));
        let read = read_body(stalls, 10, Duration::from_millis(1)).await;
        assert_eq!(read, Err(StatusCode::REQUEST_TIMEOUT));
    }
}
