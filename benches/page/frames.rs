//! Frames of one page, taken apart: what an edit costs, what laying out costs, and
//! what turning shapes into triangles costs.

use std::time::Instant;

use bindpose::app::{Shell, ShellOptions};
use bindpose_lesson::{DataEdit, LessonSet, Setting};
use bindpose_notebook::Edit;
use eframe::egui::{self, accesskit};

use crate::ALLOCATOR;
use crate::median::median;

/// Frames until a page has settled, at most.
const SETTLING: usize = 12;
const SIZE: [f32; 2] = [1280.0, 720.0];

/// A notebook in a window that nobody sees.
pub(crate) struct BenchNotebook {
    shell: Shell,
    ctx: egui::Context,
    time_secs: f64,
}

/// Medians, in milliseconds, and how often memory was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameMedians {
    /// A page on which nothing changes.
    pub(crate) still: FramePart,
    /// The edit of a drag alone: document, and what follows from it at once.
    pub(crate) edit: FramePart,
    /// The frame after it.
    pub(crate) dragged: FramePart,
    /// Of a page on which nothing changes.
    pub(crate) tessellation_ms: f64,
}

/// One part of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FramePart {
    pub(crate) ms: f64,
    /// How often memory was asked for: the least of all rounds.
    pub(crate) allocations: usize,
    /// How much, in bytes: the least of all rounds.
    pub(crate) bytes: usize,
}

#[derive(Default)]
struct Taken {
    ms: Vec<f64>,
    allocations: Vec<usize>,
    bytes: Vec<usize>,
}

impl Taken {
    fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let before = ALLOCATOR.stats();
        let clock = Instant::now();
        let answer = work();
        self.ms.push(clock.elapsed().as_secs_f64() * 1e3);
        let after = ALLOCATOR.stats();
        let count = |stats: stats_alloc::Stats| stats.allocations + stats.reallocations;
        self.allocations.push(count(after) - count(before));
        self.bytes.push(after.bytes_allocated - before.bytes_allocated);
        answer
    }

    fn part(self) -> FramePart {
        FramePart {
            ms: median(self.ms),
            allocations: self.allocations.into_iter().min().unwrap_or(0),
            bytes: self.bytes.into_iter().min().unwrap_or(0),
        }
    }
}

impl BenchNotebook {
    pub(crate) fn new(set: LessonSet) -> Result<Self, String> {
        let ctx = egui::Context::default();
        let options = ShellOptions { set, ..ShellOptions::default() };
        let mut shell = Shell::new(&ctx, None, options).map_err(|error| error.to_string())?;
        shell.wait_for_background_work();
        Ok(Self { shell, ctx, time_secs: 0.0 })
    }

    /// Opens a page, and lets it settle.
    pub(crate) fn open(&mut self, link: &str) -> Result<(), String> {
        self.shell.open_link(link)?;
        for _ in 0..SETTLING {
            self.frame();
        }
        Ok(())
    }

    /// The first of the rig's angles that can be dragged.
    pub(crate) fn angle(&self) -> Option<String> {
        let derived = self.shell.notebook().derived();
        derived.free_angles().next().map(|param| param.name.clone())
    }

    /// As somebody leaves it who has painted all of the model.
    pub(crate) fn edit_every_weight(&mut self) -> Result<(), String> {
        let vertices = self.shell.notebook().derived().influences.len() as u32;
        let weights = [0.25, 0.25, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0];
        let edit = |vertex| Setting::Data(DataEdit::Weights(vertex, weights));
        self.shell.edit(&Edit::Settings((0..vertices).map(edit).collect()))?;
        for _ in 0..SETTLING {
            self.frame();
        }
        Ok(())
    }

    /// Drags a parameter of the page, `rounds` times.
    pub(crate) fn measure(&mut self, dragged: &str, rounds: usize) -> Result<FrameMedians, String> {
        let [mut still, mut edit, mut after, mut tessellation] = [(); 4].map(|()| Taken::default());
        for round in 0..rounds {
            let value = 0.2 + 0.01 * (round + 1) as f64;
            let put = Edit::Settings(vec![Setting::Param(dragged.to_owned(), value)]);
            edit.of(|| self.shell.edit(&put))?;
            let output = after.of(|| self.frame());
            drop(output);
            let output = still.of(|| self.frame());
            let ppp = output.pixels_per_point;
            let shapes = output.shapes;
            tessellation.of(|| self.ctx.tessellate(shapes, ppp));
        }
        Ok(FrameMedians {
            still: still.part(),
            edit: edit.part(),
            dragged: after.part(),
            tessellation_ms: tessellation.part().ms,
        })
    }

    /// Paints across the middle of the picture, a touch a frame: from the event of the
    /// pointer to all that is to be drawn. `None`: the page is no page to paint.
    pub(crate) fn painted(&mut self, rounds: usize) -> Option<FramePart> {
        let (switch, picture) = self.brush_and_picture()?;
        let switch = switch.center();
        for pressed in [true, false] {
            self.frame_with(vec![moved(switch), button(switch, pressed)]);
        }
        let from = picture.center();
        self.frame_with(vec![moved(from)]);
        self.frame_with(vec![button(from, true)]);
        // Where the hand moves so far that each frame has its touch.
        let step = picture.height() * 0.03;
        let mut stroke = Taken::default();
        for round in 0..rounds {
            let there = if round % 8 < 4 { round % 4 } else { 3 - round % 4 };
            let at = from + egui::vec2(0.0, step * (1 + there) as f32);
            let output = stroke.of(|| self.frame_with(vec![moved(at)]));
            drop(output);
        }
        self.frame_with(vec![button(from, false)]);
        Some(stroke.part())
    }

    /// Where the switch that takes the brush up stands, and the first picture.
    fn brush_and_picture(&mut self) -> Option<(egui::Rect, egui::Rect)> {
        self.ctx.enable_accesskit();
        let output = self.frame();
        self.ctx.disable_accesskit();
        let tree = output.platform_output.accesskit_update?;
        let place = |is: &dyn Fn(&accesskit::Node) -> bool| {
            let (_, node) = tree.nodes.iter().find(|(_, node)| is(node))?;
            let bounds = node.bounds()?;
            let corner = |x: f64, y: f64| egui::pos2(x as f32, y as f32);
            let (low, high) = (corner(bounds.x0, bounds.y0), corner(bounds.x1, bounds.y1));
            Some(egui::Rect::from_min_max(low, high))
        };
        let switch = place(&|node| node.label() == Some("paint in the picture"))?;
        let picture = place(&|node| node.role() == accesskit::Role::Image)?;
        Some((switch, picture))
    }

    fn frame(&mut self) -> egui::FullOutput {
        self.frame_with(Vec::new())
    }

    fn frame_with(&mut self, events: Vec<egui::Event>) -> egui::FullOutput {
        self.time_secs += 1.0 / 60.0;
        let size = egui::Vec2::from(SIZE);
        let input = egui::RawInput {
            time: Some(self.time_secs),
            events,
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
            ..Default::default()
        };
        let shell = &mut self.shell;
        let mut output = self.ctx.run_ui(input, |ui| shell.ui(ui));
        // Nobody draws.
        output.textures_delta.clear();
        output
    }
}

fn moved(at: egui::Pos2) -> egui::Event {
    egui::Event::PointerMoved(at)
}

fn button(at: egui::Pos2, pressed: bool) -> egui::Event {
    egui::Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    }
}

impl Drop for BenchNotebook {
    fn drop(&mut self) {
        self.shell.destroy();
    }
}
