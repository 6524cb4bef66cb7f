"""The rows of a page of pprof --html that stands on standard input: flat, cum and name, in the type that it opens with."""

import array, base64, gzip, json, re, sys

text = re.search(r'id="data">(.*?)</script>', sys.stdin.read(), re.DOTALL)[1]
block = gzip.decompress(base64.b64decode(text))
end = 4 + int.from_bytes(block[:4], 'little')
head = json.loads(block[4:end])
start = (end + 7) // 8 * 8

columns = {}
for name, kind, n, at in head['columns']:
    column = array.array({'u8': 'B', 'u32': 'I', 'f64': 'd'}[kind])
    column.frombytes(block[start + at:start + at + n * column.itemsize])  # byteswap() on a host with the big end first
    columns.setdefault(name, []).append(column)

strings = columns['strings'][0].tobytes().decode().split('\0')
place = head['type'] * head['sets']
rows = zip(columns['flat'][place], columns['cum'][place], columns['label'][0])
for flat, cum, label in sorted((row for row in rows if row[1]), key=lambda row: -row[1]):
    print(f'{flat:12.0f} {cum:12.0f} {strings[label]}')
