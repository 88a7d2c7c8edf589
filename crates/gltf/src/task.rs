//! Background tasks: on a thread, or between the frames of a browser.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

use super::TaskProgress;
use super::progress::Paced;

/// A task in the background. Dropping it cancels the work.
#[derive(Debug)]
pub struct Task<T> {
    progress: TaskProgress,
    result: Receiver<T>,
}

/// Error of a task that ended without a result, because its worker panicked, because no
/// thread could be started, or because the result was taken before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

impl<T> Task<T> {
    /// Creates a task, with the progress that the worker reports to and the sender for its
    /// result.
    pub fn new() -> (Self, TaskProgress, Sender<T>) {
        let (sender, result) = channel();
        let progress = TaskProgress::default();
        let task = Self { progress: progress.clone(), result };
        (task, progress, sender)
    }

    /// Returns how much of the work is done, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.progress.fraction()
    }

    /// Takes the result. Returns `None` if there is none yet.
    ///
    /// Waits for the result for at most `patience`. In a browser, where the work shares the
    /// only thread, it does not wait. If there is a result, also waits for the end of the
    /// worker's `then` callback, so the caller must not hold a lock that the callback needs.
    ///
    /// # Errors
    ///
    /// Returns [`Broken`] if there will be no result.
    pub fn answer(&self, patience: Duration) -> Option<Result<T, Broken>> {
        match self.result.try_recv() {
            Ok(result) => Some(Ok(self.wait_for_callback(result))),
            Err(TryRecvError::Disconnected) => Some(Err(Broken)),
            Err(TryRecvError::Empty) if patience.is_zero() || cfg!(target_arch = "wasm32") => None,
            Err(TryRecvError::Empty) => match self.result.recv_timeout(patience) {
                Ok(result) => Some(Ok(self.wait_for_callback(result))),
                Err(_) => self.answer(Duration::ZERO),
            },
        }
    }

    /// Waits for the end of the `then` callback: the worker drops its sender after the call.
    fn wait_for_callback(&self, result: T) -> T {
        let _ = self.result.recv();
        result
    }
}

impl<T: Send + 'static> Task<T> {
    /// Executes `work` on a thread with the given name, and then calls `then`. The callback
    /// never starts after the result was taken.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn start(
        name: &str,
        work: impl FnOnce(&TaskProgress) -> T + Send + 'static,
        then: impl FnOnce() + Send + 'static,
    ) -> Self {
        let (task, progress, sender) = Self::new();
        // If the system gives no thread, the sender is dropped with the closure, which the
        // receiver reports as `Broken`.
        let _ = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            // Fails if the task was dropped meanwhile.
            let _ = sender.send(work(&progress));
            then();
            drop(sender);
        });
        task
    }

    /// Like `start`, for work in pieces. In a browser, which has no threads for it, the
    /// pieces are executed between frames.
    pub fn start_paced(
        name: &str,
        work: impl FnOnce(&TaskProgress) -> Paced<T> + Send + 'static,
        then: impl FnOnce() + Send + 'static,
    ) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        {
            Self::start(name, |progress| work(progress).finish(), then)
        }
        #[cfg(target_arch = "wasm32")]
        {
            let _ = name;
            Self::between_frames(
                async move |progress| {
                    let paced = work(&progress);
                    super::between_frames::finish(paced).await
                },
                then,
            )
        }
    }

    /// Like [`Self::start_paced`], for work that cannot be split. In a browser, all of it is
    /// executed between two frames.
    pub fn start_whole(
        name: &str,
        work: impl FnOnce(&TaskProgress) -> T + Send + 'static,
        then: impl FnOnce() + Send + 'static,
    ) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        {
            Self::start(name, work, then)
        }
        #[cfg(target_arch = "wasm32")]
        {
            let _ = name;
            Self::between_frames(async move |progress| work(&progress), then)
        }
    }

    /// Executes `work` between frames. It has to pause by itself if it is long.
    #[cfg(target_arch = "wasm32")]
    pub fn between_frames(
        work: impl AsyncFnOnce(TaskProgress) -> T + 'static,
        then: impl FnOnce() + 'static,
    ) -> Self {
        let (task, progress, sender) = Self::new();
        wasm_bindgen_futures::spawn_local(async move {
            // Let the current frame end first.
            super::between_frames::pause().await;
            let _ = sender.send(work(progress).await);
            then();
            drop(sender);
        });
        task
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.progress.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Not a performance limit: only a deadlock takes this long.
    const PATIENCE: Duration = Duration::from_mins(5);

    #[test]
    fn a_result_is_returned_once_and_a_missing_worker_is_an_error() {
        let (called, then) = channel();
        let task = Task::start("test", |_| 3, move || called.send(()).unwrap());
        assert_eq!(task.answer(PATIENCE), Some(Ok(3)));
        then.recv_timeout(PATIENCE).unwrap();
        assert_eq!(task.answer(Duration::ZERO), Some(Err(Broken)));
        let (task, _, sender) = Task::<u8>::new();
        assert_eq!(task.answer(Duration::ZERO), None);
        drop(sender);
        assert_eq!(task.answer(PATIENCE), Some(Err(Broken)));
    }

    #[test]
    fn work_in_pieces_is_done_to_its_end() {
        fn count_pauses(progress: &TaskProgress) -> Paced<i32> {
            Paced::new(progress, async |pace| {
                let mut pauses = 0;
                while pauses < 5 && pace.pause().await.is_ok() {
                    pauses += 1;
                }
                pauses
            })
        }
        let (called, then) = channel();
        let task = Task::start_paced("test", count_pauses, move || called.send(()).unwrap());
        assert_eq!(task.answer(PATIENCE), Some(Ok(5)));
        then.recv_timeout(PATIENCE).unwrap();
    }

    #[test]
    fn dropping_a_task_cancels_its_work() {
        fn wait_for_cancellation(progress: &TaskProgress) {
            while !progress.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let (ended, end) = channel();
        let task = Task::start("test", wait_for_cancellation, move || ended.send(()).unwrap());
        drop(task);
        end.recv_timeout(PATIENCE).unwrap();
    }
}
