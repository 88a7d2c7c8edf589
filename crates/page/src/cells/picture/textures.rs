//! Textures of the pictures that are shown: made beside the page, in as many pixels as
//! are seen, and kept while there is room.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{ColorImage, Context, TextureHandle, TextureId, TextureOptions, Ui, Vec2};

use bindpose_asset::{EncodedPicture, Image, Task};
use bindpose_lesson::PictureContent;
use bindpose_notebook::encoded_picture;

/// What the first frame waits: small pictures are there by then, and nothing flickers.
const GLANCE: Duration = Duration::from_millis(8);
/// Where nothing is shown until all is done.
const ALL_THE_TIME: Duration = Duration::from_mins(10);
/// Pixels of all textures that are kept, beside those in sight.
const KEPT_PIXELS: usize = 24_000_000;

/// By what shows them.
#[derive(Default)]
pub(super) struct Textures(BTreeMap<String, ShownTexture>);

/// What stands in the place of a picture.
pub(super) enum Showing<'a> {
    Texture(TextureId),
    /// It is on its way.
    Nothing,
    /// Why there is none, in words.
    Failed(&'a str),
}

#[derive(Default)]
struct ShownTexture {
    made: Option<MadeTexture>,
    coming: Option<(Pixels, Task<Result<Image, String>>)>,
    /// Number of the frame in which it was last seen.
    seen: u64,
}

/// A picture in a size.
#[derive(Clone)]
struct Pixels {
    bytes: Arc<[u8]>,
    size: [u32; 2],
}

struct MadeTexture {
    of: Pixels,
    texture: Result<TextureHandle, String>,
    /// In another context, as after a lost one, a texture is none.
    ctx: Context,
}

impl Pixels {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.bytes, &other.bytes) && self.size == other.size
    }
}

impl Textures {
    /// What stands in a place of so many pixels; `key` says which place. `waits`: the
    /// frame waits for it.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        key: &str,
        content: &PictureContent,
        shown_px: Vec2,
        waits: bool,
    ) -> Showing<'_> {
        let ctx = ui.ctx();
        let frame = ctx.cumulative_frame_nr();
        self.forget_old(frame);
        let shown = self.0.entry(key.to_owned()).or_default();
        shown.seen = frame;
        let encoded = encoded_picture(content);
        let most = ctx.input(|input| input.max_texture_side) as u32;
        let size = encoded.pixels_for(shown_px.into());
        let wanted = Pixels { size: size.map(|side| side.min(most)), bytes: encoded.bytes.clone() };
        shown.advance(ctx, &encoded, &wanted, waits);
        match shown.made.as_ref().map(|made| &made.texture) {
            Some(Ok(texture)) => Showing::Texture(texture.id()),
            Some(Err(why)) => Showing::Failed(why),
            None => Showing::Nothing,
        }
    }

    /// Those seen last stay, as many as there is room for.
    fn forget_old(&mut self, frame: u64) {
        let mut by_age: Vec<(u64, String, usize)> =
            self.0.iter().map(|(key, shown)| (shown.seen, key.clone(), shown.pixels())).collect();
        by_age.sort_by_key(|(seen, ..)| std::cmp::Reverse(*seen));
        let mut all = 0;
        for (seen, key, pixels) in by_age {
            all += pixels;
            // What was seen in the last frame may be seen in this one.
            if all > KEPT_PIXELS && seen + 1 < frame {
                self.0.remove(&key);
            }
        }
    }
}

impl ShownTexture {
    fn pixels(&self) -> usize {
        self.made
            .as_ref()
            .map_or(0, |made| made.of.size.iter().map(|side| *side as usize).product())
    }

    /// Takes what has come, and asks for what is wanted now. What was made before
    /// stays until then.
    fn advance(&mut self, ctx: &Context, encoded: &EncodedPicture, wanted: &Pixels, waits: bool) {
        if self.made.as_ref().is_some_and(|made| made.ctx != *ctx) {
            self.made = None;
        }
        let patience = if waits { ALL_THE_TIME } else { Duration::ZERO };
        self.take(ctx, patience);
        let made = self.made.as_ref().is_some_and(|made| made.of.is(wanted));
        if made || self.coming.is_some() {
            return;
        }
        let waking = ctx.clone();
        let task = encoded.start(wanted.size, move || waking.request_repaint());
        self.coming = Some((wanted.clone(), task));
        self.take(ctx, patience.max(GLANCE));
    }

    fn take(&mut self, ctx: &Context, patience: Duration) {
        let Some((of, task)) = &self.coming else {
            return;
        };
        let Some(answer) = task.answer(patience) else {
            return;
        };
        let image = answer.unwrap_or_else(|_| Err("the work was broken off".to_owned()));
        let texture = image.map(|image| {
            let size = [image.width as usize, image.height as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, &image.rgba);
            ctx.load_texture("picture", pixels, TextureOptions::LINEAR)
        });
        self.made = Some(MadeTexture { of: of.clone(), texture, ctx: ctx.clone() });
        self.coming = None;
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::{RawInput, vec2};

    use super::*;

    fn picture() -> PictureContent {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 3'>\
                   <rect width='4' height='3'/></svg>";
        PictureContent::of_file(svg.as_bytes().into()).unwrap()
    }

    fn shown(ctx: &Context, textures: &mut Textures, content: &PictureContent, side: f32) -> bool {
        let mut there = false;
        let mut output = ctx.run_ui(RawInput::default(), |ui| {
            let size = vec2(4.0 * side, 3.0 * side);
            let showing = textures.show(ui, "a", content, size, true);
            there = matches!(showing, Showing::Texture(_));
        });
        output.textures_delta.clear();
        there
    }

    fn size(textures: &Textures) -> Option<[u32; 2]> {
        let shown = textures.0.get("a")?;
        shown.made.as_ref().map(|made| made.of.size)
    }

    #[test]
    fn a_texture_is_made_once_for_a_size_and_anew_for_another() {
        let (ctx, mut textures) = (Context::default(), Textures::default());
        let content = picture();
        let id = |textures: &Textures| match &textures.0["a"].made {
            Some(made) => made.texture.as_ref().map(TextureHandle::id).ok(),
            None => None,
        };
        assert!(shown(&ctx, &mut textures, &content, 10.0));
        assert_eq!(size(&textures), Some([40, 30]));
        let first = id(&textures);
        assert!(shown(&ctx, &mut textures, &content, 10.0));
        assert_eq!(id(&textures), first);
        assert!(shown(&ctx, &mut textures, &content, 20.0));
        assert_eq!(size(&textures), Some([80, 60]));
        assert_ne!(id(&textures), first);
    }

    #[test]
    fn another_file_and_another_context_make_another_texture() {
        let (ctx, mut textures) = (Context::default(), Textures::default());
        assert!(shown(&ctx, &mut textures, &picture(), 10.0));
        let changed = picture();
        assert!(shown(&ctx, &mut textures, &changed, 10.0));
        let made = |textures: &Textures| {
            let made = textures.0["a"].made.as_ref().expect("made");
            (Arc::clone(&made.of.bytes), made.ctx.clone())
        };
        assert!(Arc::ptr_eq(&made(&textures).0, &changed.bytes));
        let other = Context::default();
        assert!(shown(&other, &mut textures, &changed, 10.0));
        assert!(made(&textures).1 == other);
    }

    #[test]
    fn what_cannot_be_decoded_says_so() {
        let (ctx, mut textures) = (Context::default(), Textures::default());
        let content = PictureContent { bytes: b"<svg".as_slice().into(), ..picture() };
        assert!(!shown(&ctx, &mut textures, &content, 10.0));
        assert!(textures.0["a"].made.as_ref().unwrap().texture.is_err());
    }

    #[test]
    fn pictures_out_of_sight_are_forgotten_when_there_are_too_many() {
        let mut textures = Textures::default();
        let of = |size| Pixels { bytes: Arc::default(), size };
        for (key, seen) in [("old", 1), ("older", 0), ("now", 9)] {
            let shown = ShownTexture {
                made: Some(MadeTexture {
                    of: of([4000, 4000]),
                    texture: Err(String::new()),
                    ctx: Context::default(),
                }),
                coming: None,
                seen,
            };
            textures.0.insert(key.to_owned(), shown);
        }
        textures.forget_old(10);
        let left: Vec<&str> = textures.0.keys().map(String::as_str).collect();
        assert_eq!(left, ["now"]);
    }
}
