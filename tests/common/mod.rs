//! GL for tests: a context without a window, and egui pages painted with it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bindpose_render::headless::{HeadlessGl, PageTarget, apply_textures};
use bindpose_render::{RenderError, Renderer};
use eframe::{egui, egui_glow};
use egui_kittest::TestRenderer;
use image::RgbaImage;

/// One test draws at a time: drivers are not at their best with many contexts
/// on many threads.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A context of one's own, current on this thread, alone in this process.
pub(crate) struct TestGl {
    // Dropped in this order: the context first, then the turn.
    headless: HeadlessGl,
    _turn: MutexGuard<'static, ()>,
}

impl std::ops::Deref for TestGl {
    type Target = HeadlessGl;
    fn deref(&self) -> &HeadlessGl {
        &self.headless
    }
}

/// GL, or `None` where there is none and it is not demanded.
///
/// # Panics
/// With `REQUIRE_GL=1` in the environment when there is none: a skipped test
/// must not look like a passed one.
pub(crate) fn gl_or_skip(test_name: &str) -> Option<TestGl> {
    turn_or_skip(test_name, HeadlessGl::new)
}

/// The same with a context made otherwise, such as OpenGL ES.
pub(crate) fn turn_or_skip(
    test_name: &str,
    make: impl FnOnce() -> Result<HeadlessGl, RenderError>,
) -> Option<TestGl> {
    let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    match make() {
        Ok(headless) => Some(TestGl { headless, _turn: turn }),
        Err(error) if std::env::var_os("REQUIRE_GL").is_some_and(|value| value == "1") => {
            panic!("REQUIRE_GL=1, but {error}")
        }
        Err(error) => {
            say_skipped(test_name, &format!("no GL ({error})"));
            None
        }
    }
}

/// A skipped test must not look like a passed one.
#[expect(clippy::print_stdout, reason = "whoever runs the tests must see it")]
pub(crate) fn say_skipped(test_name: &str, why: &str) {
    println!("SKIPPED {test_name}: {why}");
}

/// What draws: `llvmpipe (LLVM …)`, or the name of a GPU.
pub(crate) fn renderer_name(gl: &HeadlessGl) -> String {
    let renderer = Renderer::new(gl.gl()).expect("what the page draws with");
    let name = renderer.limits().renderer.clone();
    renderer.destroy();
    name
}

/// Saves a picture to look at, if `KEEP_PICTURES` names a folder.
pub(crate) fn keep_picture(name: &str, picture: &RgbaImage) {
    if let Some(folder) = std::env::var_os("KEEP_PICTURES") {
        let path = std::path::Path::new(&folder).join(format!("{name}.png"));
        picture.save(path).expect("the folder can be written to");
    }
}

/// Draws the pages of an `egui_kittest` harness with egui's own GL painter.
/// Holds its turn: one at a time in a test.
pub(crate) struct GlowTestRenderer {
    painter: egui_glow::Painter,
    page: PageTarget,
    gl: TestGl,
}

impl GlowTestRenderer {
    /// Paints in this context.
    pub(crate) fn new(gl: TestGl) -> Self {
        let painter =
            egui_glow::Painter::new(gl.gl(), "", None, false).expect("egui's painter needs less");
        let page = PageTarget::new(gl.gl()).expect("a framebuffer");
        Self { painter, page, gl }
    }
}

impl Drop for GlowTestRenderer {
    fn drop(&mut self) {
        self.painter.destroy();
    }
}

impl TestRenderer for GlowTestRenderer {
    fn setup_eframe(&self, cc: &mut eframe::CreationContext<'_>, _frame: &mut eframe::Frame) {
        cc.gl = Some(self.gl.gl());
    }

    fn handle_delta(&mut self, delta: &mut egui::TexturesDelta) {
        apply_textures(&mut self.painter, delta);
    }

    fn render(
        &mut self,
        ctx: &egui::Context,
        output: &egui::FullOutput,
    ) -> Result<RgbaImage, String> {
        let pixels_per_point = output.pixels_per_point;
        let size = ctx.content_rect().size() * pixels_per_point;
        let size_px = [size.x.round() as u32, size.y.round() as u32];
        let primitives = ctx.tessellate(output.shapes.clone(), pixels_per_point);
        self.page
            .paint(&mut self.painter, &primitives, size_px, pixels_per_point)
            .map_err(|error| error.to_string())
    }
}
