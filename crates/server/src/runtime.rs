//! What runs all connections.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// One thread for all of them.
///
/// Fails when the system gives no means to wait.
pub(super) fn new_runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}
