//! OpenGL for tests: a context without a window, and a renderer for egui pages.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bindpose_render::headless::{HeadlessGl, PageTarget, apply_textures};
use bindpose_render::{RenderError, Renderer};
use eframe::{egui, egui_glow};
use egui_kittest::TestRenderer;
use image::RgbaImage;

/// Locked while a test draws, because drivers are unreliable with many contexts on many threads.
static GL_LOCK: Mutex<()> = Mutex::new(());

/// A context that is current on this thread and the only one in this process.
pub(crate) struct TestGl {
    // Fields are dropped in this order: the context before the lock is released.
    headless: HeadlessGl,
    _lock: MutexGuard<'static, ()>,
}

impl std::ops::Deref for TestGl {
    type Target = HeadlessGl;
    fn deref(&self) -> &HeadlessGl {
        &self.headless
    }
}

/// Creates an OpenGL context. Returns `None` if there is no OpenGL, and prints that the test is
/// skipped.
///
/// # Panics
///
/// Panics if there is no OpenGL and the environment has `REQUIRE_GL=1`, since a skipped test must
/// not look like a passed one.
pub(crate) fn gl_or_skip(test_name: &str) -> Option<TestGl> {
    context_or_skip(test_name, HeadlessGl::new)
}

/// Like [`gl_or_skip`], with a function that creates the context, such as one for OpenGL ES.
pub(crate) fn context_or_skip(
    test_name: &str,
    make: impl FnOnce() -> Result<HeadlessGl, RenderError>,
) -> Option<TestGl> {
    let lock = GL_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    match make() {
        Ok(headless) => Some(TestGl { headless, _lock: lock }),
        Err(error) if std::env::var_os("REQUIRE_GL").is_some_and(|value| value == "1") => {
            panic!("REQUIRE_GL=1, but {error}")
        }
        Err(error) => {
            print_skipped(test_name, &format!("no GL ({error})"));
            None
        }
    }
}

#[expect(clippy::print_stdout, reason = "whoever runs the tests must see it")]
pub(crate) fn print_skipped(test_name: &str, why: &str) {
    println!("SKIPPED {test_name}: {why}");
}

/// Returns the name of the GPU or software renderer, such as `llvmpipe (LLVM …)`.
pub(crate) fn renderer_name(gl: &HeadlessGl) -> String {
    let renderer = Renderer::new(gl.gl()).expect("what the page draws with");
    let name = renderer.limits().renderer.clone();
    renderer.destroy();
    name
}

/// Saves a picture for inspection if the environment variable `KEEP_PICTURES` names a folder.
pub(crate) fn keep_picture(name: &str, picture: &RgbaImage) {
    if let Some(folder) = std::env::var_os("KEEP_PICTURES") {
        let path = std::path::Path::new(&folder).join(format!("{name}.png"));
        picture.save(path).expect("the folder can be written to");
    }
}

/// Draws the pages of an `egui_kittest` harness with egui's OpenGL painter. A test can have only one
/// at a time, because it holds the lock.
pub(crate) struct GlowTestRenderer {
    painter: egui_glow::Painter,
    page: PageTarget,
    gl: TestGl,
}

impl GlowTestRenderer {
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
