//! What was measured, in few numbers.

use std::collections::BTreeMap;

use super::lead::Place;

#[derive(Clone, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn new(mut all: Vec<f64>) -> Self {
        all.sort_by(f64::total_cmp);
        Self(all)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Below which that share lies; 0 of none.
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let place = (self.0.len() as f64 * share) as usize;
        let place = place.min(self.0.len().saturating_sub(1));
        self.0.get(place).copied().unwrap_or(0.0)
    }

    pub(crate) fn max(&self) -> f64 {
        self.0.last().copied().unwrap_or(0.0)
    }
}

/// From the teacher's change to a client's hearing it, above the network's own delay.
#[derive(Default)]
pub(crate) struct Latencies {
    steps: Vec<f64>,
    drags: Vec<f64>,
    /// Of each step the last client's.
    everywhere: BTreeMap<usize, f64>,
}

impl Latencies {
    /// `last`: the step that this client was at before.
    pub(crate) fn add(&mut self, place: &Place, last: usize, above_ms: f64) {
        if place.step > last {
            self.steps.push(above_ms);
            let slowest = self.everywhere.entry(place.step).or_insert(0.0);
            *slowest = slowest.max(above_ms);
        } else if place.is_dragged {
            self.drags.push(above_ms);
        }
    }

    pub(crate) fn take(&mut self) -> Summary {
        let Self { steps, drags, everywhere } = std::mem::take(self);
        Summary {
            steps: Samples::new(steps),
            drags: Samples::new(drags),
            everywhere: Samples::new(everywhere.into_values().collect()),
        }
    }
}

pub(crate) struct Summary {
    pub(crate) steps: Samples,
    pub(crate) drags: Samples,
    pub(crate) everywhere: Samples,
}
