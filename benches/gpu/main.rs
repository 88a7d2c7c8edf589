//! Frame times of the skinned whale, held against a bare draw of the same
//! vertices in the same GL context and the same run: `cargo xtask bench gpu`.
//!
//! Times mean nothing between machines; the ratios do. Ours and the bare draw
//! take turns, and the medians are compared.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is run by hand, to be read"
)]

mod bare;
mod shaders;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bindpose::asset::{Rig, builtin};
use bindpose::lesson::{Projection, Transport, View};
use bindpose::notebook::camera::Camera;
use bindpose::notebook::scene::{CrowdScene, Scene, SceneColors, SkinningOptions};
use bindpose::render::headless::HeadlessGl;
use bindpose::render::{Renderer, ViewId};
use glam::{Mat4, Vec3};

use bare::{Bare, Extras};

const SIZE: [u32; 2] = [1280, 720];
const COUNTS: [u32; 3] = [1, 10, 100];
/// Frames before the clock is looked at.
const WARM_UP: usize = 2;
/// A configuration is measured at least this often, and until this long.
const ROUNDS: usize = 9;
const LONG_ENOUGH: Duration = Duration::from_millis(600);

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
    println!("{table}");
    if let Some(path) = std::env::args().skip_while(|arg| arg != "--out").nth(1) {
        std::fs::write(&path, &table).map_err(|error| format!("{path}: {error}"))?;
        println!("written to {path}");
    }
    Ok(())
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
            let mut scene = scene(&rig, transport, count);
            let bare = Bare::new(
                &gl,
                &rig.mesh,
                transport,
                &placed(count),
                SIZE,
                Extras::NONE,
            )?;
            let dressed = Bare::new(&gl, &rig.mesh, transport, &placed(count), SIZE, Extras::ALL)?;
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

The first column puts our look into the bare draw: soft coloured light and a rim, normals by the matrix of cofactors, the dithered background. The second is what is left to ours alone: GL's state saved and put back, uniforms and attributes set by name for every picture, three-d's check after every draw, and for a crowd the places of its members, uploaded anew.

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

fn scene(rig: &Arc<Rig>, transport: Transport, count: u32) -> Scene {
    let [width, height] = SIZE.map(|side| side as f32);
    let (low, high) = rig.mesh.bounds();
    let reach = Vec3::new(1.0, 0.0, 1.0) * 3.0 * (count as f32).sqrt();
    let bounds = if count == 1 {
        (low, high)
    } else {
        (low - reach, high + reach)
    };
    Scene {
        size: SIZE,
        camera: Camera::framing(
            bounds,
            View::ThreeQuarter,
            Projection::Perspective,
            width / height,
        ),
        skinning: SkinningOptions {
            transport,
            ..SkinningOptions::default()
        },
        crowd: (count > 1).then(|| {
            Arc::new(CrowdScene {
                world_from_instance: placed(count),
                palettes: Vec::new(),
            })
        }),
        colors: SceneColors {
            background_top: [251, 250, 247],
            background_bottom: [240, 238, 232],
            surface: [200, 200, 200],
            line: [30, 35, 40],
            ghost: [120, 120, 120],
            grid: [220, 220, 220],
            ..SceneColors::default()
        },
        ..Scene::plain(&rig.mesh, pose(rig, 0.0))
    }
}

/// On a square grid on the ground, six units apart.
fn placed(count: u32) -> Vec<Mat4> {
    let side = f64::from(count).sqrt().ceil() as u32;
    (0..count)
        .map(|index| {
            let at = |n: u32| (n as f32 - (side as f32 - 1.0) * 0.5) * 6.0;
            Mat4::from_translation(Vec3::new(at(index % side), 0.0, at(index / side)))
        })
        .collect()
}

/// Every angle of the rig at `sin(phase) · 0.3`.
fn pose(rig: &Rig, phase: f64) -> Vec<Mat4> {
    rig.world_from_bind(|_| Some(phase.sin() * 0.3))
}
