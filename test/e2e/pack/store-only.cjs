// Loaded into npm by NODE_OPTIONS: what it packs is stored, not compressed. A hundred megabytes take long to compress, and the
// packages of a test are thrown away.
'use strict';
const zlib = require('node:zlib');

const { Gzip } = zlib;
zlib.Gzip = class extends Gzip {
  constructor(options) {
    super({ ...options, level: zlib.constants.Z_NO_COMPRESSION });
  }
};
