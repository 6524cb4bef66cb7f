// Generics, closures, traits and boxed errors, for rustc's two ways to mangle.
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

trait Weigh {
    fn weigh(&self) -> u64;
}

struct Text<'a>(&'a str);

impl<'a> Weigh for Text<'a> {
    fn weigh(&self) -> u64 {
        self.0.split(' ').map(|word| word.len() as u64 * 3).sum()
    }
}

impl<T: Weigh> Weigh for Vec<T> {
    fn weigh(&self) -> u64 {
        self.iter().map(Weigh::weigh).fold(1, |a, b| a ^ b.rotate_left(5))
    }
}

#[inline(never)]
fn shown<T: Display + ?Sized>(value: &T) -> Result<u64, Box<dyn std::error::Error>> {
    let text = format!("{value:>8}");
    Ok(text.trim().parse::<u64>()? + 1)
}

mod inner {
    pub fn counts(text: &str) -> std::collections::HashMap<char, usize> {
        let mut found = std::collections::HashMap::new();
        text.chars().for_each(|c| *found.entry(c).or_insert(0) += 1);
        found
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let texts: Vec<Text> = words.iter().map(|word| Text(word)).collect();
    let mut tree: BTreeMap<usize, HashMap<char, usize>> = BTreeMap::new();
    for word in &words {
        tree.insert(word.len(), inner::counts(word));
    }
    let handle = std::thread::spawn(move || tree.into_iter().map(|(n, counts)| n + counts.len()).sum::<usize>());
    let sum = texts.weigh() + shown("17").unwrap_or(0) + shown(&texts.len()).unwrap_or(0);
    println!("{} {}", sum, handle.join().unwrap());
}
