//! TeX in words, for screen readers: plain, not perfect.

/// `\frac{a}{b}` becomes "a over b"; what has no words is left out.
pub fn spoken(tex: &str) -> String {
    let mut reader = FormulaSpeaker { rest: tex, depth: 0 };
    let words = reader.words(None);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct FormulaSpeaker<'a> {
    rest: &'a str,
    depth: usize,
}

/// Commands with words; any other command that is not layout is read by name.
const WORDS: [(&str, &str); 16] = [
    ("cdot", "times"),
    ("times", "times"),
    ("leftarrow", "from"),
    ("gets", "from"),
    ("rightarrow", "to"),
    ("to", "to"),
    ("ne", "is not"),
    ("neq", "is not"),
    ("le", "at most"),
    ("ge", "at least"),
    ("approx", "about"),
    ("ldots", "and so on"),
    ("cdots", "and so on"),
    ("dots", "and so on"),
    ("prime", "prime"),
    ("pm", "plus or minus"),
];

/// Commands that say how, not what, with a space between them.
const SILENT: &str = "left right mathbf mathrm mathit mathcal mathbb text textbf textit operatorname \
    displaystyle textstyle quad qquad big Big bigl bigr boldsymbol limits";

impl FormulaSpeaker<'_> {
    /// Words up to `end`, or to the end of the text.
    fn words(&mut self, end: Option<char>) -> String {
        let mut out = String::new();
        while let Some(c) = self.rest.chars().next() {
            if Some(c) == end {
                self.bump(c);
                break;
            }
            self.one(&mut out);
        }
        out
    }

    fn bump(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }

    /// The next thing: a group, a command or a character.
    fn one(&mut self, out: &mut String) {
        let Some(c) = self.rest.chars().next() else {
            return;
        };
        self.bump(c);
        match c {
            '{' if self.depth < 64 => {
                self.depth += 1;
                let inside = self.words(Some('}'));
                self.depth -= 1;
                out.push_str(&inside);
            }
            '\\' if self.depth < 64 => {
                self.depth += 1;
                self.command(out);
                self.depth -= 1;
            }
            '_' => out.push_str(" sub "),
            '^' => out.push_str(" to the "),
            '&' => out.push_str(", "),
            '\'' => out.push_str(" prime "),
            '-' | '−' => out.push_str(" minus "),
            '+' => out.push_str(" plus "),
            '=' => out.push_str(" equals "),
            '~' | '{' | '}' | '\\' => out.push(' '),
            c => out.push(c),
        }
    }

    fn command(&mut self, out: &mut String) {
        let length = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        if length == 0 {
            // `\,` `\;` are space, `\\` ends a row.
            let Some(c) = self.rest.chars().next() else {
                return;
            };
            self.bump(c);
            out.push_str(if c == '\\' { "; " } else { " " });
            return;
        }
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        out.push(' ');
        match name {
            "frac" | "tfrac" | "dfrac" => {
                self.argument(out);
                out.push_str(" over ");
                self.argument(out);
            }
            "sqrt" => {
                out.push_str("square root of ");
                self.argument(out);
            }
            "begin" | "end" | "color" => self.argument(&mut String::new()),
            "textcolor" => {
                self.argument(&mut String::new());
                self.argument(out);
            }
            _ if SILENT.split(' ').any(|silent| silent == name) => {}
            _ => {
                let words = WORDS.iter().find(|(command, _)| *command == name);
                out.push_str(words.map_or(name, |(_, words)| words));
            }
        }
        out.push(' ');
    }

    fn argument(&mut self, out: &mut String) {
        self.rest = self.rest.trim_start();
        self.one(out);
    }
}

#[cfg(test)]
mod tests {
    use super::spoken;

    #[test]
    fn formulas_read_aloud() {
        assert_eq!(
            spoken(r"\frac{w_0}{\sqrt{2}} = -1"),
            "w sub 0 over square root of 2 equals minus 1"
        );
        assert_eq!(
            spoken(r"\mathbf{v}' = \sum_i w_i\, M_i \cdot p"),
            "v prime equals sum sub i w sub i M sub i times p"
        );
        assert_eq!(spoken(r"\text{world} \leftarrow \textcolor{red}{joint}"), "world from joint");
    }

    #[test]
    fn broken_tex_is_read_too() {
        for tex in
            ["{", "}", "\\", "\\frac", "\\frac{1", "^", &"{".repeat(1000), &"\\frac".repeat(9999)]
        {
            let _ = spoken(tex);
        }
        assert_eq!(spoken("a}b"), "a b");
    }
}
