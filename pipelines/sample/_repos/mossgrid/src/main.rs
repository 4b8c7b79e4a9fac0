//! The command line.

use std::{env, fs, process::ExitCode};

use mossgrid::{
    path::{find_route, heuristic},
    region,
    sim::{
        stats::{census, growth_curve},
        World,
    },
    text, Cell, Coord, Grid,
};

#[derive(Debug)]
struct Options {
    command: String,
    map: String,
    from: Coord,
    to: Option<Coord>,
    ticks: usize,
    seed: u64,
    heuristic: String,
    quiet: bool,
}

fn usage() -> String {
    [
        "usage: mossgrid COMMAND [OPTIONS] MAP",
        "  grow    --ticks N --seed N   let the moss grow and print the map",
        "  route   --from X,Y --to X,Y  print the cheapest way",
        "  census                       count cells and areas",
    ]
    .join("\n")
}

/// Reads the command line by hand: a few options do not earn a dependency.
fn parse_options(args: &[String]) -> Result<Options, String> {
    let mut options = Options {
        command: String::new(),
        map: String::new(),
        from: Coord::new(0, 0),
        to: None,
        ticks: 10,
        seed: 1,
        heuristic: "octile".to_string(),
        quiet: false,
    };
    let mut words = args.iter();
    let mut plain = Vec::new();
    while let Some(word) = words.next() {
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_string())),
            _ => (word.as_str(), None),
        };
        if !name.starts_with("--") {
            plain.push(name.to_string());
            continue;
        }
        if name == "--quiet" {
            if inline.is_some() {
                return Err("--quiet takes no value".to_string());
            }
            options.quiet = true;
            continue;
        }
        let value = match inline.or_else(|| words.next().cloned()) {
            Some(value) => value,
            None => return Err(format!("{name} needs a value")),
        };
        match name {
            "--from" => options.from = value.parse()?,
            "--to" => options.to = Some(value.parse()?),
            "--ticks" => {
                options.ticks = value
                    .parse()
                    .map_err(|_| format!("--ticks: {value:?} is not a number of ticks"))?;
                if options.ticks > 100_000 {
                    return Err("--ticks: more than 100000 is asking too much".to_string());
                }
            }
            "--seed" => {
                options.seed = match value.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16),
                    None => value.parse(),
                }
                .map_err(|_| format!("--seed: {value:?} is not a number"))?;
            }
            "--heuristic" => options.heuristic = value,
            _ => return Err(format!("unknown option {name}\n{}", usage())),
        }
    }
    match plain.as_slice() {
        [command, map] => {
            options.command = command.clone();
            options.map = map.clone();
            Ok(options)
        }
        _ => Err(usage()),
    }
}

fn load(path: &str) -> Result<Grid<Cell>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    text::parse_map(&text).map_err(|e| format!("{path}: {e}"))
}

fn grow_command(options: &Options, map: Grid<Cell>) -> String {
    let mut world = World::new(map, options.seed);
    world.scatter_spores(3);
    let curve = growth_curve(&mut world, options.ticks);
    format!(
        "{}after {} ticks: {} cells of moss\n",
        text::render(&world.cells, &[]),
        world.tick(),
        curve.last().copied().unwrap_or(0)
    )
}

fn route_command(options: &Options, map: &Grid<Cell>) -> Result<String, String> {
    let to = options.to.ok_or("route needs --to")?;
    let bound = heuristic::by_name(&options.heuristic)?;
    match find_route(map, options.from, to, bound)? {
        None => Ok(format!("no way from {} to {to}\n", options.from)),
        Some(route) => {
            let marks: Vec<_> = route.cells.iter().map(|at| (*at, '*')).collect();
            let turns = route.corners().len().saturating_sub(2);
            let cost = f64::from(route.cost) / 1000.0;
            Ok(format!("{}cost {cost:.3}, {turns} turns\n", text::render(map, &marks)))
        }
    }
}

fn census_command(map: &Grid<Cell>) -> String {
    let labels = region::label_regions(map, |cell| cell.entry_cost().is_some());
    let sizes = region::region_sizes(&labels);
    let largest = sizes.iter().max().copied().unwrap_or(0);
    let counted = census(map);
    format!("{counted}\n{} areas, the largest of {largest} cells\n", sizes.len())
}

fn execute(args: &[String]) -> Result<String, String> {
    let options = parse_options(args)?;
    let map = load(&options.map)?;
    let out = match options.command.as_str() {
        "grow" => grow_command(&options, map),
        "route" => route_command(&options, &map)?,
        "census" => census_command(&map),
        other => return Err(format!("unknown command {other}\n{}", usage())),
    };
    Ok(if options.quiet {
        out.lines().last().map_or_else(String::new, |l| format!("{l}\n"))
    } else {
        out
    })
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match execute(&args) {
        Ok(out) => {
            print!("{out}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("mossgrid: {message}");
            ExitCode::FAILURE
        }
    }
}
