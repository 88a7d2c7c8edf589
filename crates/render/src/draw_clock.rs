//! What a frame of a picture takes, measured while it moves and without holding up a
//! graphics card that is fast enough.

#![expect(unsafe_code, reason = "GL is asked directly")]

use std::collections::VecDeque;
use std::sync::Arc;

use eframe::glow::{self, HasContext as _};

use super::draw_quality::BUDGET_SECS;
use super::quality::Quality;
use super::view::ViewId;

/// Frames that may be on their way; where more are, the next is not measured.
const MOST_PENDING: usize = 4;
/// Where the program has to wait for the graphics card to measure, one frame in so
/// many is.
const ONE_IN: u32 = 4;
/// What a frame may come late by without anything being slow, in seconds: displays
/// come every 16.7 ms, or every 20.
const LATE_SECS: f64 = 0.004;

/// How pictures that move are drawn.
#[derive(Clone, Copy, Debug, Default)]
pub enum MovingPictures {
    /// As those that stand still: for exports, films and tests.
    #[default]
    InFull,
    /// With less where a frame would take too long.
    InTime,
    /// The same where a frame takes so many seconds in a quality: for tests.
    Timed(fn(Quality) -> f64),
}

/// One frame of one view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub(super) view: ViewId,
    pub(super) quality: Quality,
    pub(super) secs: f64,
}

/// Measures one frame after the other.
pub(super) struct DrawClock {
    gl: Arc<glow::Context>,
    way: Way,
    /// On their way back, oldest first; those of a frame's beginning have no query.
    pending: VecDeque<Pending>,
}

struct Pending {
    view: ViewId,
    quality: Quality,
    begun: Begun,
}

/// How it is measured.
enum Way {
    /// The graphics card says what it took; asked when it is known.
    Query,
    /// The program waits before and after, in one frame of so many.
    Wait { one_in: u32, frame: u32 },
    /// From this frame of the page to the next one.
    Frames,
    /// It is said.
    Told(fn(Quality) -> f64),
}

/// What was begun and has to be ended.
pub(super) enum Begun {
    Query(glow::Query),
    Wait(std::time::Instant),
    /// Of the page's clock.
    Frame(f64),
    Told(f64),
}

impl DrawClock {
    /// `by_processor`: no graphics card draws. Absent where nothing is measured.
    pub(super) fn new(
        gl: &Arc<glow::Context>,
        moving: MovingPictures,
        by_processor: bool,
    ) -> Option<Self> {
        let way = match moving {
            MovingPictures::InFull => return None,
            MovingPictures::Timed(secs) => Way::Told(secs),
            MovingPictures::InTime => way(gl, by_processor),
        };
        Some(Self { gl: Arc::clone(gl), way, pending: VecDeque::new() })
    }

    /// Does it tell how much less than a frame of the display was needed?
    pub(super) fn sees_room(&self) -> bool {
        !matches!(self.way, Way::Frames)
    }

    /// What all pictures that move may take of a frame.
    pub(super) fn budget_secs(&self) -> f64 {
        match self.way {
            // The page round them is drawn by the same processor.
            Way::Wait { one_in: 1, .. } => 0.5 * BUDGET_SECS,
            _ => BUDGET_SECS,
        }
    }

    /// Before a frame of a view is drawn. Absent where this one is not measured.
    pub(super) fn begin(&mut self, quality: Quality, now_secs: f64) -> Option<Begun> {
        if self.pending.len() >= MOST_PENDING {
            return None;
        }
        match &mut self.way {
            // SAFETY: a query of our own, ended by `end`; no other runs.
            Way::Query => unsafe {
                let query = self.gl.create_query().ok()?;
                self.gl.begin_query(glow::TIME_ELAPSED, query);
                Some(Begun::Query(query))
            },
            Way::Wait { one_in, frame } => {
                *frame = (*frame + 1) % *one_in;
                if *frame != 0 {
                    return None;
                }
                // SAFETY: the context is current.
                unsafe { self.gl.finish() }
                Some(Begun::Wait(std::time::Instant::now()))
            }
            Way::Frames => Some(Begun::Frame(now_secs)),
            Way::Told(secs) => Some(Begun::Told(secs(quality))),
        }
    }

    /// After it was drawn.
    pub(super) fn end(&mut self, view: ViewId, quality: Quality, begun: Begun) {
        let begun = match begun {
            Begun::Query(query) => {
                // SAFETY: begun by `begin`, and not ended yet.
                unsafe { self.gl.end_query(glow::TIME_ELAPSED) }
                Begun::Query(query)
            }
            Begun::Wait(began) => {
                // SAFETY: the context is current.
                unsafe { self.gl.finish() }
                Begun::Told(began.elapsed().as_secs_f64())
            }
            begun => begun,
        };
        self.pending.push_back(Pending { view, quality, begun });
    }

    /// What is known by now, at the beginning of a frame of the page.
    pub(super) fn measured(&mut self, now_secs: f64) -> Vec<Measured> {
        let mut known: Vec<Measured> = Vec::new();
        while let Some(Pending { view, quality, begun }) = self.pending.front() {
            let (view, quality) = (*view, *quality);
            let secs = match begun {
                Begun::Query(query) => match self.query_secs(*query) {
                    Some(secs) => secs,
                    None => break,
                },
                Begun::Wait(began) => began.elapsed().as_secs_f64(),
                Begun::Frame(then_secs) => (now_secs - then_secs - LATE_SECS).max(0.0),
                Begun::Told(secs) => *secs,
            };
            // A frame of the page may be laid out, and drawn, more than once.
            let again = matches!(begun, Begun::Frame(_)) && known.iter().any(|m| m.view == view);
            if !again {
                known.push(Measured { view, quality, secs });
            }
            self.pending.pop_front();
        }
        known
    }

    /// Absent until it is known; frees the query then.
    fn query_secs(&self, query: glow::Query) -> Option<f64> {
        let gl = &self.gl;
        // SAFETY: a query of our own that was ended; its result is asked for when it
        // is there, and it is deleted once, after that.
        unsafe {
            if gl.get_query_parameter_u32(query, glow::QUERY_RESULT_AVAILABLE) == 0 {
                return None;
            }
            let nanoseconds = gl.get_query_parameter_u32(query, glow::QUERY_RESULT);
            gl.delete_query(query);
            Some(f64::from(nanoseconds) * 1e-9)
        }
    }
}

impl Drop for DrawClock {
    fn drop(&mut self) {
        for pending in self.pending.drain(..) {
            if let Begun::Query(query) = pending.begun {
                // SAFETY: made by `begin`, deleted once.
                unsafe { self.gl.delete_query(query) }
            }
        }
    }
}

/// What can be asked here.
fn way(gl: &glow::Context, by_processor: bool) -> Way {
    let version = gl.version();
    if cfg!(target_arch = "wasm32") {
        // Waiting for the graphics card would hold up the page. The extension says little
        // of a processor, whose threads it does not tell apart.
        let extensions = gl.supported_extensions();
        let asks = !by_processor && extensions.contains("EXT_disjoint_timer_query_webgl2");
        return if asks { Way::Query } else { Way::Frames };
    }
    // glow asks for results by a function that came with 4.5.
    let asks = !version.is_embedded && (version.major, version.minor) >= (4, 5);
    if asks && !by_processor {
        return Way::Query;
    }
    // A processor is not held up by waiting for it, and has worked on vertices before.
    let one_in = if by_processor { 1 } else { ONE_IN };
    Way::Wait { one_in, frame: 0 }
}
