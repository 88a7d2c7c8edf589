//! Programs: formulas put into names, loops over joints and numbers, conditions, and
//! statements that move joints.

mod run;
#[cfg(test)]
mod tests;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use crate::expr::eval::FormulaNode;
use crate::expr::functions::FormulaFunction;
use crate::expr::parse::{Parser, is_name_char, names, wrong};
pub use run::{Moves, ProgramError, ProgramRun};

#[cfg(any(test, feature = "testing"))]
pub use run::RUNS;

/// A program that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseProgram {
    /// As written.
    pub source: String,
    statements: Vec<Statement>,
}

impl PoseProgram {
    /// Reads a program.
    ///
    /// Errors: at the character where it goes wrong, counted through all lines: what was
    /// expected, and what to write; [`Self::place`] says the line. Programs of more
    /// than 4000 characters, 200 statements or 8 levels of braces are refused.
    pub fn parse(source: &str) -> Result<Self, Diagnostic> {
        let statements = parse(source)?;
        Ok(Self { source: source.to_owned(), statements })
    }

    /// Line and column of a character of a text, both from 1.
    pub fn place(source: &str, character: usize) -> LineColumn {
        let mut at = LineColumn { line: 1, column: 1 };
        for c in source.chars().take(character.saturating_sub(1)) {
            if c == '\n' {
                at = LineColumn { line: at.line + 1, column: 1 };
            } else {
                at.column += 1;
            }
        }
        at
    }
}

/// In a text of many lines the place says the line too, within the words: where the
/// text itself begins is known to whoever reads it.
impl TryFrom<String> for PoseProgram {
    type Error = Diagnostic;

    fn try_from(source: String) -> Result<Self, Diagnostic> {
        Self::parse(source.trim_end()).map_err(|wrong| {
            let Place::Character(character) = wrong.at else {
                return wrong;
            };
            let at = Self::place(&source, character);
            let title = format!(
                "line {}, column {} of the program: {}",
                at.line,
                at.column,
                wrong.sentence()
            );
            wrong.title(title).at(Place::default())
        })
    }
}

// From the text of a program to its statements.

/// Longer programs are refused.
const MAX_CHARS: usize = 4000;
/// Programs of more statements are refused.
const MAX_STATEMENTS: usize = 200;
/// Braces within braces; deeper ones are refused.
const MAX_BLOCKS: usize = 8;
/// Words that no variable may be called.
const KEYWORDS: [&str; 6] = ["for", "in", "if", "else", "to", "joints"];

const STATEMENT_HELP: &str =
    "write name = formula, rotate_z(joint, angle), for j in joints { … } or if a < b { … }";

fn parse(source: &str) -> Result<Vec<Statement>, Diagnostic> {
    let mut reader =
        ProgramReader { parser: Parser::new(source, MAX_CHARS, true), statements: 0, blocks: 0 };
    if source.chars().nth(MAX_CHARS).is_some() {
        let expected = format!("a program of at most {MAX_CHARS} characters");
        return Err(wrong(0, expected, "", "make it shorter"));
    }
    let statements = reader.statements()?;
    match reader.parser.peek() {
        None => Ok(statements),
        Some(_) => Err(wrong(reader.parser.at, "the end", "`}` without its `{`", "leave it out")),
    }
}

struct ProgramReader {
    parser: Parser,
    statements: usize,
    blocks: usize,
}

impl ProgramReader {
    /// Up to a closing brace, or the end.
    fn statements(&mut self) -> Result<Vec<Statement>, Diagnostic> {
        let mut statements = Vec::new();
        loop {
            match self.after_line_ends() {
                None | Some('}') => return Ok(statements),
                Some(_) => {
                    self.statements += 1;
                    if self.statements > MAX_STATEMENTS {
                        let expected = format!("at most {MAX_STATEMENTS} statements");
                        return Err(wrong(self.parser.at, expected, "more", "use a loop"));
                    }
                    statements.push(self.statement()?);
                    self.end_of_statement()?;
                }
            }
        }
    }

    fn after_line_ends(&mut self) -> Option<char> {
        while let Some('\n' | ';') = self.parser.peek() {
            self.parser.at += 1;
        }
        self.parser.peek()
    }

    fn end_of_statement(&mut self) -> Result<(), Diagnostic> {
        match self.parser.peek() {
            None | Some('\n' | ';' | '}') => Ok(()),
            Some(found) => Err(self.parser.unexpected(found)),
        }
    }

    fn statement(&mut self) -> Result<Statement, Diagnostic> {
        let start = self.parser.at;
        let name = self.word();
        match name.as_str() {
            "" => Err(wrong(start, "a statement", self.found(), STATEMENT_HELP)),
            "for" => self.repeat(start),
            "if" => self.choice(start),
            _ if self.parser.peek() == Some('(') => self.action(&name, start),
            _ => self.assign(name, start),
        }
    }

    fn assign(&mut self, name: String, start: usize) -> Result<Statement, Diagnostic> {
        if self.parser.peek() != Some('=') || self.parser.char(1) == Some('=') {
            let expected = format!("`=` after {name}");
            let at = self.parser.at;
            return Err(wrong(at, expected, self.found(), STATEMENT_HELP));
        }
        free_name(&name, start)?;
        self.parser.at += 1;
        let value = self.formula()?;
        Ok(Statement::Assign { name, column: start + 1, value })
    }

    fn repeat(&mut self, start: usize) -> Result<Statement, Diagnostic> {
        self.parser.peek();
        let at = self.parser.at;
        let name = self.word();
        if name.is_empty() {
            let help = "write for j in joints { … } or for k in 0 to 3 { … }";
            return Err(wrong(at, "a name after `for`", self.found(), help));
        }
        free_name(&name, at)?;
        self.keyword("in")?;
        self.parser.peek();
        let before = self.parser.at;
        let over = if self.word() == "joints" && self.parser.peek() == Some('{') {
            LoopOver::Joints
        } else {
            self.parser.at = before;
            let first = self.formula()?;
            self.keyword("to")?;
            LoopOver::Range(first, self.formula()?)
        };
        Ok(Statement::For { name, column: start + 1, over, body: self.block()? })
    }

    fn choice(&mut self, start: usize) -> Result<Statement, Diagnostic> {
        let condition = self.formula()?;
        let then = self.block()?;
        let before = self.parser.at;
        let otherwise = if self.after_line_ends().is_some() && self.word() == "else" {
            self.parser.peek();
            let start = self.parser.at;
            if self.word() == "if" {
                self.deeper()?;
                let inner = self.choice(start)?;
                self.blocks -= 1;
                vec![inner]
            } else {
                self.parser.at = start;
                self.block()?
            }
        } else {
            self.parser.at = before;
            Vec::new()
        };
        Ok(Statement::If { condition, column: start + 1, then, otherwise })
    }

    fn action(&mut self, name: &str, start: usize) -> Result<Statement, Diagnostic> {
        let known = || Action::ALL.iter().filter(|&&(other, ..)| other == name);
        if known().next().is_none() {
            if FormulaFunction::ALL.iter().any(|&(other, ..)| other == name) {
                let expected = "a statement that does something";
                let found = format!("the value of {name}");
                let help = format!("put it into a name: a = {name}(…)");
                return Err(wrong(start, expected, found, help));
            }
            let names: Vec<&str> = Action::ALL.iter().map(|&(name, ..)| name).collect();
            let unknown = Diagnostic::unknown("statement", name, &names);
            return Err(unknown.at(Place::Character(start + 1)));
        }
        let mut arguments = self.parser.call_arguments(|index| index == 0)?;
        let row = known().find(|row| row.2.len() + 1 == arguments.len());
        let Some(&(_, action, _)) = row else {
            let counts: Vec<String> = known().map(|row| (row.2.len() + 1).to_string()).collect();
            let expected = format!("{} arguments of {name}", counts.join(" or "));
            let found = arguments.len().to_string();
            return Err(wrong(start, expected, found, Action::usage(name)));
        };
        arguments.iter().try_for_each(without_mesh)?;
        let joint: FormulaNode = arguments.remove(0);
        Ok(Statement::Move { action, joint, arguments, column: start + 1 })
    }

    fn formula(&mut self) -> Result<FormulaNode, Diagnostic> {
        let formula = self.parser.formula()?;
        without_mesh(&formula)?;
        Ok(formula)
    }

    fn block(&mut self) -> Result<Vec<Statement>, Diagnostic> {
        self.deeper()?;
        self.after_line_ends();
        self.parser.expect('{')?;
        let statements = self.statements()?;
        self.parser.expect('}')?;
        self.blocks -= 1;
        Ok(statements)
    }

    fn deeper(&mut self) -> Result<(), Diagnostic> {
        self.blocks += 1;
        if self.blocks > MAX_BLOCKS {
            let expected = format!("at most {MAX_BLOCKS} levels of braces");
            return Err(wrong(self.parser.at, expected, "more", "leave some out"));
        }
        Ok(())
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), Diagnostic> {
        self.parser.peek();
        let at = self.parser.at;
        if self.word() == keyword {
            return Ok(());
        }
        self.parser.at = at;
        let help = "write for j in joints { … } or for k in 0 to 3 { … }";
        Err(wrong(at, format!("`{keyword}`"), self.found(), help))
    }

    fn word(&mut self) -> String {
        let start = self.parser.at;
        if self.parser.char(0).is_some_and(|c| !c.is_ascii_digit()) {
            self.parser.skip(is_name_char);
        }
        self.parser.text(start)
    }

    fn found(&self) -> String {
        match self.parser.char(0) {
            None => "the end".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(found) => format!("`{found}`"),
        }
    }
}

/// A program makes the pose: what the mesh looks like in it is not known yet.
fn without_mesh(formula: &FormulaNode) -> Result<(), Diagnostic> {
    match formula.function_of_mesh() {
        None => Ok(()),
        Some((name, column)) => Err(wrong(
            column - 1,
            "what joints, parameters and time say",
            format!("{name}, which follows from the pose or the mesh"),
            "use local(j), world(j), bind(j) and parameters",
        )),
    }
}

/// May a variable be called so?
fn free_name(name: &str, at: usize) -> Result<(), Diagnostic> {
    if KEYWORDS.contains(&name) {
        let found = format!("`{name}`, which means something else");
        return Err(wrong(at, "a name of your own", found, "write another name"));
    }
    names::free_name(name, at)
}

// A program as a tree.

/// One statement. Columns are in characters of the whole text, from 1.
#[derive(Clone, Debug, PartialEq)]
enum Statement {
    /// `name = formula`
    Assign { name: String, column: usize, value: FormulaNode },
    /// `for name in … { … }`
    For { name: String, column: usize, over: LoopOver, body: Vec<Self> },
    /// `if condition { … } else { … }`
    If { condition: FormulaNode, column: usize, then: Vec<Self>, otherwise: Vec<Self> },
    /// `rotate_z(joint, angle)`
    Move { action: Action, joint: FormulaNode, arguments: Vec<FormulaNode>, column: usize },
}

/// What a loop goes through.
#[derive(Clone, Debug, PartialEq)]
enum LoopOver {
    /// The numbers of all joints.
    Joints,
    /// Whole numbers, both ends included.
    Range(FormulaNode, FormulaNode),
}

/// What a statement does to a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// About one of its own axes: 0 is x.
    RotateAxis(usize),
    /// By a quaternion.
    Rotate,
    Translate,
    Scale,
    SetLocal,
}

impl Action {
    /// Name, action, and the words for what follows the joint.
    const ALL: [(&'static str, Self, &'static [&'static str]); 9] = [
        ("rotate_x", Self::RotateAxis(0), &["angle"]),
        ("rotate_y", Self::RotateAxis(1), &["angle"]),
        ("rotate_z", Self::RotateAxis(2), &["angle"]),
        ("rotate", Self::Rotate, &["quat"]),
        ("translate", Self::Translate, &["x", "y", "z"]),
        ("translate", Self::Translate, &["vec3"]),
        ("scale", Self::Scale, &["x", "y", "z"]),
        ("scale", Self::Scale, &["factor"]),
        ("set_local", Self::SetLocal, &["matrix"]),
    ];

    /// `write rotate_z(joint, angle)`
    fn usage(name: &str) -> String {
        let rows = Self::ALL.iter().filter(|&&(other, ..)| other == name);
        let forms = rows.map(|(_, _, words)| format!("{name}(joint, {})", words.join(", ")));
        format!("write {}", forms.collect::<Vec<_>>().join(" or "))
    }
}
