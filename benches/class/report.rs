//! The figures as tables.

use std::fmt::Write as _;

use super::class::{Class, Counted};
use super::figures::{Samples, Summary};
use super::network::Network;

const STEP_AIM_MS: f64 = 150.0;
const FRAME_AIM_MS: f64 = 2.0;
const MEMORY_AIM_KB: f64 = 150.0;

#[derive(Default)]
pub(crate) struct Report {
    latencies: String,
    votes: String,
    /// By the clock, of that at work, and by the clock of a loop that works as long.
    pub(crate) frames: [Samples; 3],
    /// By the number of clients.
    pub(crate) memory_kb: Vec<(usize, f64)>,
    /// With strangers, and without.
    pub(crate) disturbed: Vec<(bool, Summary)>,
}

impl Report {
    pub(crate) fn class(&mut self, class: &Class, of: Network, count: usize, counted: Counted) {
        let name = of.name;
        let Summary { steps, drags, everywhere } = class.latencies();
        let aim = verdict(steps.quantile(0.95), STEP_AIM_MS, "ms");
        for (what, samples, aim) in [
            ("a step, each client", steps, aim),
            ("a step, the last client", everywhere, String::new()),
            ("a drag, each client", drags, String::new()),
        ] {
            let row = row(&samples);
            let _ = writeln!(self.latencies, "| {count} {name} | {what} | {row} | {aim} |");
        }
        let Counted { votes, answers, wrong } = counted;
        let (rejoins, refused) = (class.rejoins(), class.refused());
        let verdict = if wrong == 0 { "exact" } else { "**not exact**" };
        let _ = writeln!(
            self.votes,
            "| {count} {name} | {votes} | {answers} | {rejoins} | {refused} | {wrong}, {verdict} |"
        );
    }

    pub(crate) fn table(&self) -> String {
        let mut table = include_str!("about.md").to_owned();
        let _ = write!(
            table,
            "\n## Until it is heard, above the network’s own delay\n\n\
             | clients | what | count | median ms | p95 ms | max ms | aim |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n{}",
            self.latencies
        );
        let _ = write!(
            table,
            "\n## Votes, each in two rounds\n\n\
             | clients | votes | answers counted | rejoins | refused | wrong |\n\
             | --- | --- | --- | --- | --- | --- |\n{}",
            self.votes
        );
        self.put_memory(&mut table);
        self.put_frames(&mut table);
        self.put_disturbed(&mut table);
        table
    }

    fn put_memory(&self, table: &mut String) {
        let [(_, none), .., (before, some), (most, all), (_, end)] = self.memory_kb[..] else {
            return;
        };
        table.push_str(
            "\n## Memory of the server’s process\n\n| clients | KB | KB a client |\n\
             | --- | --- | --- |\n",
        );
        let slope = (all - some) / (most - before) as f64;
        let _ = write!(
            table,
            "| 0 | {none:.0} | |\n\
             | {before} | {some:.0} | {:.0} |\n\
             | {most} | {all:.0} | {slope:.0} for each above {before}; aim: {} |\n\
             | {most}, after the lesson | {end:.0} | {:.0} |\n",
            (some - none) / before as f64,
            verdict(slope, MEMORY_AIM_KB, "KB"),
            (end - none) / most as f64
        );
    }

    fn put_frames(&self, table: &mut String) {
        if self.frames[0].count() == 0 {
            return;
        }
        table.push_str(
            "\n## What the class costs in a frame of the teacher’s window\n\n\
             | milliseconds | frames | median | p99 | max | aim |\n\
             | --- | --- | --- | --- | --- | --- |\n",
        );
        let aims = [true, true, false];
        let names = ["by the clock", "at work", "a loop that works as long, by the clock"];
        for ((name, has_aim), frames) in names.into_iter().zip(aims).zip(&self.frames) {
            let p99 = frames.quantile(0.99);
            let aim = if has_aim { verdict(p99, FRAME_AIM_MS, "ms") } else { String::new() };
            let _ = writeln!(
                table,
                "| {name} | {} | {:.3} | {p99:.3} | {:.3} | {aim} |",
                frames.count(),
                frames.quantile(0.5),
                frames.max()
            );
        }
    }

    fn put_disturbed(&self, table: &mut String) {
        let p95 = |wanted: bool| {
            let of = self.disturbed.iter().filter(|(disturbed, _)| *disturbed == wanted);
            let all: Vec<f64> = of.map(|(_, summary)| summary.steps.quantile(0.95)).collect();
            (!all.is_empty()).then(|| Samples::new(all).quantile(0.5))
        };
        let Some((with, without)) = p95(true).zip(p95(false)) else { return };
        table.push_str(
            "\n## Strangers among them\n\n| in turns | count | median ms | p95 ms | max ms |\n\
             | --- | --- | --- | --- | --- |\n",
        );
        for (is_disturbed, summary) in &self.disturbed {
            let name = if *is_disturbed { "with strangers" } else { "without" };
            let _ = writeln!(table, "| {name} | {} |", row(&summary.steps));
        }
        let _ = write!(
            table,
            "\nMedian of the p95 with strangers over that without: {:.2}\n",
            with / without
        );
    }
}

fn row(samples: &Samples) -> String {
    let [median, p95] = [0.5, 0.95].map(|share| samples.quantile(share));
    format!("{} | {median:.1} | {p95:.1} | {:.1}", samples.count(), samples.max())
}

fn verdict(value: f64, aim: f64, unit: &str) -> String {
    let holds = if value <= aim { "holds" } else { "**missed**" };
    format!("{aim:.0} {unit}, {holds}")
}
