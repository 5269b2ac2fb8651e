//! JSON as text: values travel as their senders wrote them, and programs read them with a library of their choice.

use std::fmt;

/// A JSON value, as its sender wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    /// A value of its text; `None` if that is not JSON.
    pub fn parse(text: &str) -> Option<Json> {
        let start = skip_space(text.as_bytes(), 0);
        let end = skip_value(text.as_bytes(), start, 0)?;
        if skip_space(text.as_bytes(), end) != text.len() {
            return None;
        }
        // Newlines would end the line of a request.
        Some(Json(text[start..end].replace(['\n', '\r'], " ")))
    }

    /// The value `null`.
    pub fn null() -> Json {
        Json("null".to_string())
    }

    /// An array of values.
    pub fn array(values: &[Json]) -> Json {
        let texts: Vec<&str> = values.iter().map(Json::as_text).collect();
        Json(format!("[{}]", texts.join(",")))
    }

    /// An object.
    pub fn object(members: &[(&str, Json)]) -> Json {
        let texts: Vec<String> = members.iter().map(|(key, value)| format!("{}:{}", Json::from(*key), value)).collect();
        Json(format!("{{{}}}", texts.join(",")))
    }

    /// The text.
    pub fn as_text(&self) -> &str {
        &self.0
    }

    /// A member of an object.
    pub fn member(&self, key: &str) -> Option<Json> {
        let mut members = Parts::new(&self.0, b'{')?;
        while let Some(name) = members.next() {
            let value = members.next()?;
            if name.as_str().map_or(false, |name| name == key) {
                return Some(value);
            }
        }
        None
    }

    /// The keys and values of an object; none for anything else.
    pub fn members(&self) -> Vec<(String, Json)> {
        let mut pairs = Vec::new();
        if let Some(mut parts) = Parts::new(&self.0, b'{') {
            while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                pairs.push((key.as_str().unwrap_or_default(), value));
            }
        }
        pairs
    }

    /// The elements of an array; none for anything else.
    pub fn elements(&self) -> Vec<Json> {
        Parts::new(&self.0, b'[').map_or_else(Vec::new, |parts| parts.collect())
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<String> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        let mut text = String::with_capacity(inner.len());
        let mut rest = inner.chars();
        while let Some(character) = rest.next() {
            if character != '\\' {
                text.push(character);
                continue;
            }
            text.push(match rest.next()? {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let high = hexadecimal(&mut rest)?;
                    if (0xD800..0xDC00).contains(&high) {
                        rest.next();
                        rest.next();
                        let low = hexadecimal(&mut rest)?;
                        char::from_u32(0x10000 + ((high - 0xD800) << 10) + low.checked_sub(0xDC00)?)?
                    } else {
                        char::from_u32(high)?
                    }
                }
                other => other,
            });
        }
        Some(text)
    }

    /// A whole number that is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// A number.
    pub fn as_f64(&self) -> Option<f64> {
        if self.0.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            self.0.parse().ok()
        } else {
            None
        }
    }

    /// True or false.
    pub fn as_bool(&self) -> Option<bool> {
        self.0.parse().ok()
    }
}

fn hexadecimal(rest: &mut std::str::Chars) -> Option<u32> {
    (0..4).try_fold(0, |number, _| Some(number * 16 + rest.next()?.to_digit(16)?))
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        let mut quoted = String::with_capacity(text.len() + 2);
        quoted.push('"');
        for character in text.chars() {
            match character {
                '"' | '\\' => quoted.extend(['\\', character]),
                c if (c as u32) < 0x20 => quoted.push_str(&format!("\\u{:04x}", c as u32)),
                c => quoted.push(c),
            }
        }
        quoted.push('"');
        Json(quoted)
    }
}

macro_rules! from_plain {
    ($($type:ty),*) => {
        $(impl From<$type> for Json {
            fn from(value: $type) -> Json {
                Json(value.to_string())
            }
        })*
    };
}

from_plain!(bool, i32, i64, u32, u64);

/// The parts of an object or an array, keys and values alike.
struct Parts<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parts<'a> {
    fn new(text: &'a str, opening: u8) -> Option<Self> {
        if text.as_bytes().first() == Some(&opening) {
            Some(Parts { text, at: 1 })
        } else {
            None
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Json;

    fn next(&mut self) -> Option<Json> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b',' | b':' | b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        let start = self.at;
        self.at = skip_value(bytes, start, 0)?;
        Some(Json(self.text[start..self.at].to_string()))
    }
}

fn skip_space(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// The place behind the value that begins here, if there is one.
fn skip_value(text: &[u8], at: usize, depth: usize) -> Option<usize> {
    match *text.get(at)? {
        b'"' => skip_string(text, at + 1),
        b'{' if depth < 1000 => skip_parts(text, at + 1, b'}', depth),
        b'[' if depth < 1000 => skip_parts(text, at + 1, b']', depth),
        b'-' | b'0'..=b'9' => {
            let end = text[at..].iter().position(|b| !matches!(b, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'));
            let end = end.map_or(text.len(), |length| at + length);
            std::str::from_utf8(&text[at..end]).ok()?.parse::<f64>().ok().map(|_| end)
        }
        _ => ["true", "false", "null"].iter().find(|word| text[at..].starts_with(word.as_bytes())).map(|word| at + word.len()),
    }
}

fn skip_string(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            byte if byte < 0x20 => return None,
            _ => at += 1,
        }
    }
}

fn skip_parts(text: &[u8], at: usize, closing: u8, depth: usize) -> Option<usize> {
    let mut at = skip_space(text, at);
    if text.get(at) == Some(&closing) {
        return Some(at + 1);
    }
    loop {
        if closing == b'}' {
            if text.get(at) != Some(&b'"') {
                return None;
            }
            at = skip_space(text, skip_string(text, at + 1)?);
            if text.get(at) != Some(&b':') {
                return None;
            }
            at = skip_space(text, at + 1);
        }
        at = skip_space(text, skip_value(text, at, depth + 1)?);
        match *text.get(at)? {
            b',' => at = skip_space(text, at + 1),
            byte if byte == closing => return Some(at + 1),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_text() {
        for text in ["12345678901234567890", "1.10", "-0", "1e3", "\"\\u00fc\"", "[1, {\"a\":null}]", "{}", "true"] {
            assert_eq!(Json::parse(text).map(|json| json.to_string()), Some(text.to_string()));
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "[1", "{\"a\"}", "{a:1}", "nul", "1 2", "\"", "\"\n\"", "[1,]", "-", "'a'"] {
            assert_eq!(Json::parse(text), None, "{text}");
        }
    }

    #[test]
    fn members_and_elements_are_found() {
        let json = Json::parse(r#"{"a":{"b":[1,"\ud83d\ude00\n"]}, "c" : false}"#).unwrap();
        let list = json.member("a").unwrap().member("b").unwrap().elements();
        assert_eq!((list[0].as_u64(), list[1].as_str()), (Some(1), Some("😀\n".to_string())));
        assert_eq!(json.member("c").unwrap().as_bool(), Some(false));
        assert_eq!(json.member("b"), None);
    }

    #[test]
    fn strings_are_quoted_and_back() {
        let text = "a\"\\\n\u{1}ü😀";
        assert_eq!(Json::from(text).as_str().as_deref(), Some(text));
    }
}
