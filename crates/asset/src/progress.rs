//! How far a long task is, and whether it was cancelled.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};

/// Shared between a worker and whoever waits for it.
#[derive(Clone, Debug)]
pub struct TaskProgress {
    shared: Arc<SharedProgress>,
    /// What 0 and 1 are of the whole task.
    from: f32,
    to: f32,
}

impl Default for TaskProgress {
    fn default() -> Self {
        Self { shared: Arc::default(), from: 0.0, to: 1.0 }
    }
}

#[derive(Debug, Default)]
struct SharedProgress {
    /// In millionths.
    done: AtomicU32,
    cancelled: AtomicBool,
}

impl TaskProgress {
    /// One part of the task, for whoever does only that: 0 and 1 of it are
    /// `from` and `to` of this one.
    #[must_use]
    pub fn part(&self, from: f32, to: f32) -> Self {
        let at = |fraction: f32| self.from + (self.to - self.from) * fraction;
        Self { shared: Arc::clone(&self.shared), from: at(from), to: at(to) }
    }

    /// Says how far it is, 0 to 1.
    pub fn set(&self, fraction: f32) {
        let whole = self.from + (self.to - self.from) * fraction.clamp(0.0, 1.0);
        let millionths = (whole * 1e6) as u32;
        self.shared.done.store(millionths, Ordering::Relaxed);
    }

    /// How far the whole task is, 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.shared.done.load(Ordering::Relaxed) as f32 / 1e6
    }

    /// Asks the worker to stop; it ends soon, with nothing changed.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Was it asked to stop?
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
    }
}

// Long work in pieces: a reader is an `async` function that says before each
// piece how large it is. Whoever drives it gives it so much at a time, and does
// something else in between, or never comes back.

/// How much may be done before the next pause; shared by the work and whoever
/// drives it.
#[derive(Debug, Default)]
pub struct Pace {
    left: Cell<usize>,
    stage: Cell<OpenStage>,
    progress: TaskProgress,
}

/// What opening a model is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenStage {
    /// The file is taken apart.
    #[default]
    Json,
    /// Nodes and skins become a skeleton.
    Joints,
    /// Attributes and indices are read and checked.
    Vertices,
    /// Keys are read; materials and all the rest.
    Animations,
}

/// The work was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl Pace {
    /// Waits until `work`, in numbers to be read, may be done. The last piece
    /// before a pause may be larger than what was left.
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

    /// Begins the next stage, after a pause.
    pub(super) async fn enter(&self, stage: OpenStage) -> Result<(), Cancelled> {
        self.stage.set(stage);
        self.pause().await
    }

    /// Ends a piece here, whatever is left of it: what comes next is large, and is
    /// not counted.
    pub async fn pause(&self) -> Result<(), Cancelled> {
        self.left.set(0);
        self.spend(0).await
    }

    /// Waits for the next piece and takes all of it, for work that has a pace of its
    /// own: how much may be done.
    pub async fn whole_piece(&self) -> Result<usize, Cancelled> {
        self.pause().await?;
        Ok(self.left.take())
    }

    /// How far the work is.
    pub fn progress(&self) -> &TaskProgress {
        &self.progress
    }
}

/// Work that is done in pieces: see [`super::Task::start_paced`].
pub struct Paced<T> {
    pace: Rc<Pace>,
    work: Pin<Box<dyn Future<Output = T>>>,
}

impl<T> Paced<T> {
    /// `work` begins with the first [`Self::advance`].
    pub fn new<F: Future<Output = T> + 'static>(
        progress: &TaskProgress,
        work: impl FnOnce(Rc<Pace>) -> F,
    ) -> Self {
        let pace = Rc::new(Pace { progress: progress.clone(), ..Pace::default() });
        Self { work: Box::pin(work(Rc::clone(&pace))), pace }
    }

    /// With what is made of its answer.
    pub fn then<U>(self, make: impl FnOnce(T) -> U + 'static) -> Paced<U>
    where
        T: 'static,
    {
        let work = self.work;
        Paced { pace: self.pace, work: Box::pin(async { make(work.await) }) }
    }

    /// Does a piece of about `budget` numbers; `None` when there is more to do.
    /// Not to be called again after the end.
    pub fn advance(&mut self, budget: usize) -> Option<T> {
        self.pace.left.set(budget.max(1));
        let mut context = Context::from_waker(Waker::noop());
        match self.work.as_mut().poll(&mut context) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        }
    }

    /// What the next piece belongs to.
    pub(super) fn stage(&self) -> OpenStage {
        self.pace.stage.get()
    }

    /// Does all of it.
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
    fn parts_of_a_task_go_on_where_the_last_one_ended() {
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
    fn work_is_done_in_pieces_and_all_of_it() {
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
    fn what_is_cancelled_ends_with_its_next_piece() {
        let progress = TaskProgress::default();
        let mut paced = Paced::new(&progress, count);
        assert_eq!(paced.advance(1), None);
        progress.cancel();
        assert_eq!(paced.advance(1), Some(Err(Cancelled)));
    }
}
