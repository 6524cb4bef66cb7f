/* The style and the scripts of render/html/, made into C while building (html/embed.py), each with its hash as a
 * Content-Security-Policy has it. */
#pragma once

extern const char html_style[], html_style_hash[];
extern const char html_script[], html_script_hash[];
extern const char flame_style[], flame_style_hash[];
extern const char flame_script[], flame_script_hash[];
extern const char trend_style[], trend_style_hash[];
extern const char timeline_style[], timeline_style_hash[]; /* the same, inside #timeline of a page */
