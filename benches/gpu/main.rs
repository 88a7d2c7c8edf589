//! Frame times of the skinned whale, held against a bare draw of the same
//! vertices in the same GL context and the same run: `cargo xtask bench gpu`.
//!
//! Times mean nothing between machines; the ratios do. Ours and the bare draw
//! take turns, and the medians are compared.

#![expect(clippy::print_stderr, reason = "it is run by hand, to be read")]

mod bare;
mod scenes;
mod shaders;
#[path = "../common/table.rs"]
mod table;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bindpose_gltf::Rig;
use bindpose_lesson::Transport;
use bindpose_render::headless::HeadlessGl;
use bindpose_render::{Renderer, ViewId};
use bindpose_rigs::builtin;

use bare::{Bare, BareExtras};
use glam::Mat4;
use scenes::{BenchCrowd, scene};

const SIZE: [u32; 2] = [1280, 720];
const COUNTS: [u32; 3] = [1, 10, 100];
/// Frames before the clock is looked at.
const WARM_UP: usize = 2;
/// A configuration is measured at least this often, and until this long.
const ROUNDS: usize = 21;
const LONG_ENOUGH: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<(), String> {
    let table = run()?;
    table::put(&table)
}

fn run() -> Result<String, String> {
    let headless = HeadlessGl::new().map_err(|error| error.to_string())?;
    let gl = headless.gl();
    let mut renderer = Renderer::new(Arc::clone(&gl)).map_err(|error| error.to_string())?;
    let rig = builtin("whale").ok_or("there is no whale")?;
    let about = renderer.limits().clone();

    let mut rows = String::new();
    let mut parts = String::new();
    for transport in Transport::ALL {
        for count in COUNTS {
            let crowd = BenchCrowd { count, apart: 6.0 };
            let mut scene = scene(&rig, pose(&rig, 0.0), transport, crowd, SIZE);
            let bare = |extras| Bare::new(&gl, &rig.mesh, transport, &crowd.placed(), SIZE, extras);
            let (bare, dressed) = (bare(BareExtras::NONE)?, bare(BareExtras::ALL)?);
            let mut frame = 0;
            let [ours, plain, dressed] = medians(&gl, &mut |which| {
                frame += 1;
                let palette = pose(&rig, f64::from(frame) * 0.01);
                match which {
                    0 => {
                        scene.palette = palette.into();
                        renderer
                            .draw(ViewId(1), &scene)
                            .map(|_| ())
                            .map_err(|error| error.to_string())
                    }
                    1 => bare.draw(&palette, &scene.camera),
                    _ => dressed.draw(&palette, &scene.camera),
                }
            })?;
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let _ = writeln!(
                rows,
                "| {} | {count} | {:.2} | {:.2} | **{:.2}** |",
                transport.label(),
                ms(ours),
                ms(plain),
                ours.as_secs_f64() / plain.as_secs_f64(),
            );
            let _ = writeln!(
                parts,
                "| {} | {count} | {:.2} | {:.2} |",
                transport.label(),
                dressed.as_secs_f64() / plain.as_secs_f64(),
                ours.as_secs_f64() / dressed.as_secs_f64(),
            );
        }
    }
    Ok(format!(
        "{}\n{}\n{HEAD}{rows}\n{PARTS}{parts}",
        include_str!("about.md").trim_end(),
        format_args!(
            "\nMeasured on {} ({}), {} × {} pixels with four samples, whale of {} vertices.\n",
            about.renderer,
            about.version,
            SIZE[0],
            SIZE[1],
            rig.mesh.positions.len()
        ),
    ))
}

const HEAD: &str = "\
| way | whales | ours, ms | bare, ms | ours / bare |
| --- | ---: | ---: | ---: | ---: |
";

const PARTS: &str = "\
## What the difference is spent on

The first column puts our look into the bare draw: soft coloured light and a rim, normals by the matrix of cofactors, the dithered background, and images filtered between pixels and sizes, so that they do not glitter. The second is what is left to ours alone: normals of unit length for every vertex, joints that may mirror, eyes that may be infinitely far; GL's state saved and put back, uniforms and attributes set by name for every picture.

| way | whales | our look in the bare draw / bare | ours / bare with our look |
| --- | ---: | ---: | ---: |
";

/// The three candidates in turn, and the median of each.
fn medians(
    gl: &eframe::glow::Context,
    draw: &mut dyn FnMut(usize) -> Result<(), String>,
) -> Result<[Duration; 3], String> {
    let mut times: [Vec<Duration>; 3] = Default::default();
    let began = Instant::now();
    for round in 0.. {
        for (which, times) in times.iter_mut().enumerate() {
            let start = Instant::now();
            draw(which)?;
            bare::finish(gl);
            if round >= WARM_UP {
                times.push(start.elapsed());
            }
        }
        if round >= WARM_UP + ROUNDS && began.elapsed() > LONG_ENOUGH {
            break;
        }
    }
    Ok(times.map(|mut times| {
        times.sort();
        times[times.len() / 2]
    }))
}

/// Every angle of the rig at `sin(phase) · 0.3`.
fn pose(rig: &Rig, phase: f64) -> Vec<Mat4> {
    let is_angle = |name: &str| rig.param(name).is_some_and(|param| param.kind.is_angle());
    rig.world_from_bind(|name| is_angle(name).then(|| phase.sin() * 0.3))
}
