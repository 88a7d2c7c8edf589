//! Progress and cancellation of long tasks, and tasks that are executed in pieces.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};

/// Progress of a task, shared between the worker and its caller. Clones refer to the same
/// task.
#[derive(Clone, Debug)]
pub struct TaskProgress {
    shared: Arc<SharedProgress>,
    /// Fraction of the whole task at which this part begins.
    from: f32,
    /// Fraction of the whole task at which this part ends.
    to: f32,
}

impl Default for TaskProgress {
    fn default() -> Self {
        Self { shared: Arc::default(), from: 0.0, to: 1.0 }
    }
}

#[derive(Debug, Default)]
struct SharedProgress {
    /// Progress of the whole task, in millionths.
    done_millionths: AtomicU32,
    is_cancelled: AtomicBool,
}

impl TaskProgress {
    /// Returns the progress of a part of the task. Its values 0 and 1 are `from` and `to`
    /// of this one.
    #[must_use]
    pub fn part(&self, from: f32, to: f32) -> Self {
        Self { shared: Arc::clone(&self.shared), from: self.in_whole(from), to: self.in_whole(to) }
    }

    /// Sets how much of this part is done, 0 to 1.
    pub fn set(&self, fraction: f32) {
        let millionths = (self.in_whole(fraction.clamp(0.0, 1.0)) * 1e6) as u32;
        self.shared.done_millionths.store(millionths, Ordering::Relaxed);
    }

    /// Converts a fraction of this part into a fraction of the whole task.
    fn in_whole(&self, fraction: f32) -> f32 {
        self.from + (self.to - self.from) * fraction
    }

    /// Returns how much of the whole task is done, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.shared.done_millionths.load(Ordering::Relaxed) as f32 / 1e6
    }

    /// Requests the worker to stop. It ends soon after, without a result.
    pub fn cancel(&self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`Self::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled.load(Ordering::Relaxed)
    }
}

// Tasks in pieces are `async` functions that announce the size of each piece of work before
// doing it. Their driver grants them an amount of work at a time, and can do something else
// in between or drop them.

/// Amount of work that a task may do before its next pause. Shared by the task and its
/// driver.
#[derive(Debug, Default)]
pub struct Pace {
    left: Cell<usize>,
    stage: Cell<OpenStage>,
    progress: TaskProgress,
}

/// Stage of opening a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenStage {
    /// Chunks and JSON are being parsed.
    #[default]
    Json,
    /// The skeleton is being built from nodes and skins.
    Joints,
    /// Attributes and indices are being read and checked.
    Vertices,
    /// Keyframes, materials and the remaining parts are being read.
    Animations,
}

/// Error of a task that was cancelled by [`TaskProgress::cancel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl Pace {
    /// Waits until `work`, counted in numbers to be read, may be done. The last piece before
    /// a pause may exceed the amount that is left.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the task was cancelled.
    pub async fn spend(&self, work: usize) -> Result<(), Cancelled> {
        poll_fn(|_| match self.left.get() {
            _ if self.progress.is_cancelled() => Poll::Ready(Err(Cancelled)),
            0 => Poll::Pending,
            left => {
                self.left.set(left.saturating_sub(work));
                Poll::Ready(Ok(()))
            }
        })
        .await
    }

    /// Pauses, and then enters the next stage of opening a model.
    pub(super) async fn enter(&self, stage: OpenStage) -> Result<(), Cancelled> {
        self.stage.set(stage);
        self.pause().await
    }

    /// Ends the current piece, whatever is left of it. Used before long work whose amount is
    /// not counted.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the task was cancelled.
    pub async fn pause(&self) -> Result<(), Cancelled> {
        self.left.set(0);
        self.spend(0).await
    }

    /// Waits for the next piece and claims all of it, for work that is split in another way.
    /// Returns the amount of work in the piece.
    ///
    /// # Errors
    ///
    /// Returns [`Cancelled`] if the task was cancelled.
    pub async fn whole_piece(&self) -> Result<usize, Cancelled> {
        self.pause().await?;
        Ok(self.left.take())
    }

    /// Returns the progress of the task.
    pub fn progress(&self) -> &TaskProgress {
        &self.progress
    }
}

/// A task that is executed in pieces. See [`super::Task::start_paced`].
pub struct Paced<T> {
    pace: Rc<Pace>,
    work: Pin<Box<dyn Future<Output = T>>>,
}

impl<T> Paced<T> {
    /// Creates a task. `work` starts with the first [`Self::advance`].
    pub fn new<F: Future<Output = T> + 'static>(
        progress: &TaskProgress,
        work: impl FnOnce(Rc<Pace>) -> F,
    ) -> Self {
        let pace = Rc::new(Pace { progress: progress.clone(), ..Pace::default() });
        Self { work: Box::pin(work(Rc::clone(&pace))), pace }
    }

    /// Converts the result of the task by `make`.
    pub fn then<U>(self, make: impl FnOnce(T) -> U + 'static) -> Paced<U>
    where
        T: 'static,
    {
        let work = self.work;
        Paced { pace: self.pace, work: Box::pin(async { make(work.await) }) }
    }

    /// Executes a piece of about `budget` numbers. Returns `None` if there is more to do.
    /// Must not be called again after it has returned a result.
    pub fn advance(&mut self, budget: usize) -> Option<T> {
        self.pace.left.set(budget.max(1));
        let mut context = Context::from_waker(Waker::noop());
        match self.work.as_mut().poll(&mut context) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        }
    }

    /// Returns the stage of the next piece, if the task opens a model.
    pub(super) fn stage(&self) -> OpenStage {
        self.pace.stage.get()
    }

    /// Executes the rest of the task without pauses.
    pub fn finish(mut self) -> T {
        loop {
            if let Some(done) = self.advance(usize::MAX) {
                return done;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_task_are_fractions_of_the_whole() {
        let whole = TaskProgress::default();
        let (first, second) = (whole.part(0.0, 0.25), whole.part(0.25, 1.0));
        first.set(1.0);
        assert_eq!(whole.fraction(), 0.25);
        second.part(0.0, 0.5).set(1.0);
        assert_eq!(whole.fraction(), 0.625);
        second.set(2.0);
        assert_eq!(first.fraction(), 1.0);
        whole.cancel();
        assert!(first.is_cancelled() && second.is_cancelled());
    }

    async fn count(pace: Rc<Pace>) -> Result<u32, Cancelled> {
        let mut done = 0;
        for _ in 0..10 {
            pace.spend(3).await?;
            done += 1;
        }
        Ok(done)
    }

    #[test]
    fn work_is_done_in_pieces_up_to_its_end() {
        let progress = TaskProgress::default();
        let mut paced = Paced::new(&progress, count);
        let pauses = std::iter::from_fn(|| match paced.advance(6) {
            None => Some(()),
            Some(done) => {
                assert_eq!(done, Ok(10));
                None
            }
        });
        assert_eq!(pauses.count(), 4);
        assert_eq!(Paced::new(&progress, count).finish(), Ok(10));
    }

    #[test]
    fn a_cancelled_task_ends_with_its_next_piece() {
        let progress = TaskProgress::default();
        let mut paced = Paced::new(&progress, count);
        assert_eq!(paced.advance(1), None);
        progress.cancel();
        assert_eq!(paced.advance(1), Some(Err(Cancelled)));
    }
}
