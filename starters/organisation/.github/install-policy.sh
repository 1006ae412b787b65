# Installs policy for a job: from npm, or built from its repository as long as npm does not have this version.
set -eu
if npm install --global --no-audit --no-fund "policy-hook@$POLICY_VERSION"; then exit 0; fi
if [ -z "$POLICY_REPOSITORY" ]; then
  echo "::error::Cannot install policy-hook $POLICY_VERSION: npm does not have it; write the address of its repository into POLICY_REPOSITORY in .github/workflows/policies.yml"
  exit 1
fi
git init --quiet "$RUNNER_TEMP/policy-source"
cd "$RUNNER_TEMP/policy-source"
git fetch --quiet --depth 1 "$POLICY_REPOSITORY" "$POLICY_COMMIT"
git checkout --quiet FETCH_HEAD
npm ci --no-audit --no-fund
npm run build
mkdir -p "$RUNNER_TEMP/policy-bin"
cp dist/policy "$RUNNER_TEMP/policy-bin/policy"
echo "$RUNNER_TEMP/policy-bin" >> "$GITHUB_PATH"
