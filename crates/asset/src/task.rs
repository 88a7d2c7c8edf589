//! Work beside a frame.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

use super::TaskProgress;
use super::progress::Paced;

/// Work that is under way. Dropped, it is asked to stop.
#[derive(Debug)]
pub struct Task<T> {
    progress: TaskProgress,
    answer: Receiver<T>,
}

/// No answer will come: a fault of this program, or the system gave no thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

impl<T> Task<T> {
    /// What whoever works reports to, and sends the answer to.
    pub fn new() -> (Self, TaskProgress, Sender<T>) {
        let (send, answer) = channel();
        let progress = TaskProgress::default();
        let task = Self { progress: progress.clone(), answer };
        (task, progress, send)
    }

    /// How far it is, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.progress.fraction()
    }

    /// The answer, once; `None` while there is none. Waits for it at most so long; in a
    /// browser, whose only thread would do the work, not at all. Where there is one, the
    /// worker's call is waited for: nobody may hold here what that needs.
    pub fn answer(&self, patience: Duration) -> Option<Result<T, Broken>> {
        match self.answer.try_recv() {
            Ok(answer) => Some(Ok(self.after_the_call(answer))),
            Err(TryRecvError::Disconnected) => Some(Err(Broken)),
            Err(TryRecvError::Empty) if patience.is_zero() || cfg!(target_arch = "wasm32") => None,
            Err(TryRecvError::Empty) => match self.answer.recv_timeout(patience) {
                Ok(answer) => Some(Ok(self.after_the_call(answer))),
                Err(_) => self.answer(Duration::ZERO),
            },
        }
    }

    /// Whoever has the answer is not called for it any more: the sender goes when the call
    /// has been made.
    fn after_the_call(&self, answer: T) -> T {
        let _ = self.answer.recv();
        answer
    }
}

impl<T: Send + 'static> Task<T> {
    /// Does `work` on a thread of that name. `then` is called when the answer is
    /// there, and not after it was taken.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn start(
        name: &str,
        work: impl FnOnce(&TaskProgress) -> T + Send + 'static,
        then: impl FnOnce() + Send + 'static,
    ) -> Self {
        let (task, progress, send) = Self::new();
        let work = move || {
            // Nobody may be waiting any more.
            let _ = send.send(work(&progress));
            then();
            drop(send);
        };
        // Without a thread the sender is gone, and that is an answer.
        let _ = std::thread::Builder::new().name(name.to_owned()).spawn(work);
        task
    }

    /// The same with work in pieces. In a browser, which has no threads for it, they
    /// are done between frames.
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

    /// The same with work that has no pieces: in a browser, all of it is done between
    /// two frames.
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

    /// Does `work` between frames: it pauses where it takes long.
    #[cfg(target_arch = "wasm32")]
    pub fn between_frames(
        work: impl AsyncFnOnce(TaskProgress) -> T + 'static,
        then: impl FnOnce() + 'static,
    ) -> Self {
        let (task, progress, send) = Self::new();
        wasm_bindgen_futures::spawn_local(async move {
            // What asked for it has its frame first.
            super::between_frames::pause().await;
            let _ = send.send(work(progress).await);
            then();
            drop(send);
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

    /// No measure of speed: only a hang takes this long.
    const PATIENCE: Duration = Duration::from_mins(5);

    #[test]
    fn an_answer_comes_once_and_a_broken_worker_says_so() {
        let (called, then) = channel();
        let task = Task::start("test", |_| 3, move || called.send(()).unwrap());
        assert_eq!(task.answer(PATIENCE), Some(Ok(3)));
        then.recv_timeout(PATIENCE).unwrap();
        assert_eq!(task.answer(Duration::ZERO), Some(Err(Broken)));
        let (task, _, send) = Task::<u8>::new();
        assert_eq!(task.answer(Duration::ZERO), None);
        drop(send);
        assert_eq!(task.answer(PATIENCE), Some(Err(Broken)));
    }

    #[test]
    fn work_in_pieces_is_done_to_its_end() {
        let (called, then) = channel();
        let work = |progress: &TaskProgress| {
            Paced::new(progress, async |pace| {
                let mut pieces = 0;
                while pieces < 5 && pace.pause().await.is_ok() {
                    pieces += 1;
                }
                pieces
            })
        };
        let task = Task::start_paced("test", work, move || called.send(()).unwrap());
        assert_eq!(task.answer(PATIENCE), Some(Ok(5)));
        then.recv_timeout(PATIENCE).unwrap();
    }

    #[test]
    fn work_that_nobody_waits_for_is_asked_to_stop() {
        let (ended, end) = channel();
        let work = |progress: &TaskProgress| {
            while !progress.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let task = Task::start("test", work, move || ended.send(()).unwrap());
        drop(task);
        end.recv_timeout(PATIENCE).unwrap();
    }
}
