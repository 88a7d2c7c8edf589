//! `bindpose serve`: hands the notebook's web pages to browsers, and shows their address in
//! a terminal, as a QR code too.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use bindpose_diagnostic::Diagnostic;
use bindpose_server::{ServedFolder, ServerOptions, WebServer, address_in_network};
use qrcode::{Color, QrCode};

use super::CommandFailure;
use super::output::{self, OutputForm};

#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    /// The folder of pages that `cargo xtask web` writes; else `web` beside the
    /// program, or `target/web`
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The port to listen on; 0: any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Also for other computers and phones in this network
    #[arg(long)]
    lan: bool,
}

/// Runs until the program is ended.
pub(super) fn run(args: &ServeArgs) -> Result<(), CommandFailure> {
    let site = match &args.folder {
        Some(folder) => ServedFolder::open(folder).map_err(|why| no_site(folder, &why)),
        None => usual_site(),
    }?;
    let options = ServerOptions { site, port: args.port, lan: args.lan, room: None };
    let server = WebServer::start(options).map_err(|why| no_server(args.port, &why))?;
    announce(server.port(), args.lan)?;
    server.wait();
    Ok(())
}

/// Says where the pages are.
fn announce(port: u16, lan: bool) -> Result<(), CommandFailure> {
    let address = lan.then(address_in_network).flatten();
    let mut text = format!("The notebook is at  http://localhost:{port}/\n");
    if let Some(address) = address {
        let url = format!("http://{address}:{port}/");
        let _ = writeln!(text, "for this network at  {url}\n\n{}", qr_text(&url));
    } else if lan {
        text += "This computer has no address in a network that could be told.\n";
    }
    text += "Ctrl+C ends it.\n";
    output::to_stdout(OutputForm::Text, |out| io::Write::write_all(out, text.as_bytes()))
}

/// Where the pages usually are: a packaged program has them beside it, or where
/// systems keep what programs share; here they are built.
fn usual_site() -> Result<ServedFolder, CommandFailure> {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let packaged = beside.map(|folder| [folder.join("web"), folder.join("../share/bindpose/web")]);
    let places = packaged.into_iter().flatten();
    let places = places.chain([PathBuf::from("target/web")]);
    let mut sites = places.filter_map(|folder| ServedFolder::open(&folder).ok());
    sites.next().ok_or_else(|| {
        CommandFailure::cannot(Diagnostic::said(
            "NO_PAGES",
            "there are no pages to hand out, neither in `web` beside the program nor in \
             `../share/bindpose/web` from there, nor in `target/web`; `cargo xtask web` makes them",
        ))
    })
}

fn no_server(port: u16, why: &io::Error) -> CommandFailure {
    CommandFailure::cannot(Diagnostic::said(
        "PORT_TAKEN",
        format!("port {port} cannot be listened on ({why}); name another by --port, or 0 for any"),
    ))
}

fn no_site(folder: &Path, why: &io::Error) -> CommandFailure {
    let folder = folder.display();
    CommandFailure::cannot(Diagnostic::said(
        "NO_PAGES",
        format!("{folder} cannot be handed out ({why}); `cargo xtask web` makes such a folder"),
    ))
}

/// Around the code, in modules, as the standard asks.
const QUIET: usize = 4;

/// The code of `text`; empty where it is too long for one.
fn qr_text(text: &str) -> String {
    let Ok(code) = QrCode::new(text) else {
        return String::new();
    };
    let width = code.width();
    let light = |x: usize, y: usize| {
        let inside = (QUIET..QUIET + width).contains(&x) && (QUIET..QUIET + width).contains(&y);
        !inside || code[(x - QUIET, y - QUIET)] == Color::Light
    };
    let side = width + 2 * QUIET;
    let mut lines = String::new();
    for y in (0..side).step_by(2) {
        for x in 0..side {
            lines.push(match (light(x, y), y + 1 >= side || light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_square_and_has_its_corners() {
        let code = qr_text("http://192.168.1.20:8080/");
        let lines: Vec<Vec<char>> = code.lines().map(|line| line.chars().collect()).collect();
        let width = lines[0].len();
        assert!(lines.iter().all(|line| line.len() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        // Quiet all around, then the dark edge of the finder pattern, 7 long.
        assert!(lines[..2].iter().flatten().all(|&half| half == '█'));
        let finder: String = lines[2][4..11].iter().collect();
        assert_eq!(finder, " ▄▄▄▄▄ ");
    }
}
