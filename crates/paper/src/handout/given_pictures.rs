//! Pictures that lessons bring along, as their files are.

use std::fmt::Write as _;

use bindpose_lesson::{PictureCell, PictureContent};

use super::html::{HtmlPlace, OpenedStep, escaped};
use super::writer::HandoutWriter;

impl HandoutWriter<'_> {
    /// Writes a picture with its caption. One that cannot be read leaves its words.
    pub(super) fn given_picture(
        &mut self,
        out: &mut String,
        picture: &PictureCell,
        opened: &OpenedStep<'_>,
    ) {
        let Some(content) = &picture.file.content else {
            let _ = writeln!(out, "<p class=\"aside\">{}</p>", escaped(&picture.alt));
            return;
        };
        let [width, height] = content.size;
        let shown = match picture.width {
            Some(part) => format!("{:.0}%", 100.0 * part),
            None => format!("{width:.0}px"),
        };
        let place = format!("width:{shown};max-width:100%;aspect-ratio:{width}/{height}");
        out.push_str("<figure class=\"picture given\">");
        let _ = match self.place {
            HtmlPlace::Paper => write!(out, "{}", self.image_of(picture, content, &place)),
            HtmlPlace::Pages | HtmlPlace::OneFile => write!(
                out,
                "<div class=\"still\" style=\"{place}\">{}</div>",
                self.image_of(picture, content, "width:100%")
            ),
        };
        if let Some(caption) = &picture.caption {
            let caption = self.line(caption, opened);
            let _ = write!(out, "<figcaption>{caption}</figcaption>");
        }
        out.push_str("</figure>\n");
    }

    fn image_of(&mut self, picture: &PictureCell, content: &PictureContent, style: &str) -> String {
        let [width, height] = content.size;
        let source = (self.address)(content.format, &content.bytes);
        let dark = picture.dark.as_ref().and_then(|dark| dark.content.as_ref());
        // On a dark page, dark lines would be lost.
        let plated = if dark.is_none() && content.see_through { " class=\"plated\"" } else { "" };
        let image = format!(
            "<img{plated} width=\"{width:.0}\" height=\"{height:.0}\" \
             style=\"{style}\" alt=\"{}\" src=\"{source}\">",
            escaped(&picture.alt)
        );
        match dark {
            Some(dark) => {
                let dark = (self.address)(dark.format, &dark.bytes);
                let media = "screen and (prefers-color-scheme: dark)";
                format!("<picture><source media=\"{media}\" srcset=\"{dark}\">{image}</picture>")
            }
            None => image,
        }
    }
}
