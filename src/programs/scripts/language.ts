/** The languages whose code is looked at. */
export type Language = 'python' | 'javascript' | 'ruby' | 'perl' | 'php' | 'lua' | 'awk' | 'r';
